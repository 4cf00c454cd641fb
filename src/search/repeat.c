/* Going back to a state of the current execution. A machine without snapshots is rewound, and performs events
 * again; what it does then is compared with what it did. */
#include "search/search.h"

static bool same_accesses(const mz_execution *x, const mz_event *event, const mz_operation *executed)
{
    if (event->kind != executed->kind || event->access_count != executed->access_count)
        return false;
    for (uint32_t i = 0; i < executed->access_count; i++) {
        mz_access a = x->records[event->first_access + i].access, b = executed->accesses[i];
        if (a.location != b.location || (b.kind & ~a.kind)) /* --dependency=object has made it a write */
            return false;
    }
    return true;
}

/* What is repeated was cut short, because the time is over or a thread is followed no further: so there is
 * nothing to compare. (The clock of the machine may be ahead of ours by a moment.) */
static bool stop_as_cut(mz_search *s, mz_outcome outcome)
{
    const mz_machine *machine = s->machine;
    const mz_failure *why = outcome == MZ_STEP_STUCK      ? &machine->stuck
                            : outcome == MZ_STEP_GIVEN_UP ? &machine->failures[machine->failure_count - 1]
                                                          : NULL;
    bool is_late = mz_search_stop_if_late(s);
    if (!is_late && why)
        mz_search_stop(s, "%s", mz_text_string(&why->message));
    return is_late || why;
}

/* Perform the event of the execution again that follows the state the machine is in. */
static bool repeat_event(mz_search *s, size_t position, mz_outcome *outcome)
{
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[position];
    mz_operation executed;
    if (!mz_threads_has(s->machine->status->ready, event->thread))
        return false;                           /* it is not even there */
    mz_choices *choices = &s->repeated_choices; /* the others may be prescribed for what comes next */
    mz_choices_prescribe(choices, x->choices + event->first_choice, event->choice_count);
    *outcome = s->machine->class->step(s->machine, event->thread, choices, &executed);
    return same_accesses(x, event, &executed) && choices->count == event->choice_count &&
           mz_threads_equal(s->machine->status->ready, s->nodes[position + 1].enabled);
}

/* With what the thread is about to do there now, if it is there. */
static void stop_as_different(mz_search *s, size_t position)
{
    const mz_event *event = &s->execution->events[position];
    mz_machine *machine = s->machine;
    mz_text now = {0};
    mz_position place = {0};
    machine->class->rewind(machine, position);
    if (mz_threads_has(machine->status->ready | machine->status->blocked, event->thread)) {
        mz_text_add(&now, ": ");
        machine->class->describe_pending(machine, event->thread, &now, &place);
    }
    if (place.line > 0)
        mz_text_add(&now, " (%s:%u)", place.file, place.line);
    mz_search_stop(
        s,
        "the program does not do the same when the same schedule is repeated: the first difference is at "
        "event %zu of the execution, event %u of %s %u%s",
        position + 1, event->index, machine->class->thread_word, event->thread, mz_text_string(&now));
    mz_text_release(&now);
}

void mz_search_go_to(mz_search *s, size_t depth)
{
    mz_machine *machine = s->machine;
    s->machine_depth = depth;
    if (machine->class->restore) {
        machine->class->restore(machine, s->snapshots + depth * machine->snapshot_bytes);
        return;
    }
    if (s->machine_prefix > depth)
        s->machine_prefix = depth;
    machine->class->rewind(machine, s->machine_prefix);
    mz_outcome outcome = MZ_STEP_DONE;
    while (s->machine_prefix < depth && !s->stop)
        if (!repeat_event(s, s->machine_prefix++, &outcome) && !stop_as_cut(s, outcome))
            stop_as_different(s, s->machine_prefix - 1);
}

/* All operations were the same. Is what they have led to? */
static void compare_variables(mz_search *s)
{
    mz_text name = {0};
    if (s->machine->class->find_difference(s->machine, &name) && !stop_as_cut(s, MZ_STEP_DONE))
        mz_search_stop(s,
                       "the program does not do the same when the same schedule is repeated: %s has another "
                       "value then",
                       mz_text_string(&name));
    mz_text_release(&name);
}

/* Where the machine was used for something else meanwhile (samples, a counterexample), there is nothing to
 * compare with: it is only put back. */
void mz_search_repeat(mz_search *s)
{
    size_t depth = s->execution->length;
    bool compares = s->machine->class->keep_variables && s->machine_depth == depth;
    if (compares)
        s->machine->class->keep_variables(s->machine);
    mz_choices_prescribe(&s->repeated_choices, s->execution->choices, s->execution->initial_choices);
    mz_outcome outcome = s->machine->class->reset(s->machine, &s->repeated_choices);
    s->machine_prefix = 0;
    if (!mz_threads_equal(s->machine->status->ready, s->nodes[0].enabled) && !stop_as_cut(s, outcome))
        mz_search_stop(
            s, "the program does not do the same when it is run again: already its beginning differs");
    mz_search_go_to(s, depth);
    if (compares && !s->stop)
        compare_variables(s);
}
