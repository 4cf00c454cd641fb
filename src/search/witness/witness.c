#include "search/witness/witness.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "search/witness/arrange.h"

/* Which events of the execution belong into the counterexample.
 *
 * A failing step needs what happens before it and nothing else (that of the step, of the thread's own events
 * and of what else it came after): that set is closed under happens-before, hence an execution of its own. A
 * deadlock needs everything, and so does what is found when the program ends. Threads that stopped earlier
 * for another reason (a failed assumption, another failure) are in the execution only because the search went
 * on past them; where their last event wrote nothing, nothing needs it and it is left out. (Not so of the
 * thread that fails now: it may have gone on after its own last event because of another thread's step, as
 * after a join.) */
static bool is_deadlock(const mz_failure *failure)
{
    return failure->kind == MZ_FAIL_DEADLOCK || failure->kind == MZ_FAIL_LIVELOCK;
}

/* It is one of a whole execution. */
static bool needs_everything(const mz_failure *failure)
{
    return is_deadlock(failure) || failure->kind == MZ_FAIL_LEAK;
}

/* The thread waits for ever whatever becomes of others, and there are others that might go on. */
static bool is_partial_deadlock(const mz_failure *failure, const mz_machine *machine)
{
    return failure->kind == MZ_FAIL_DEADLOCK && machine->class->locked_for_ever &&
           mz_threads_any(machine->status->ready | machine->status->pruned) &&
           mz_threads_has(machine->class->locked_for_ever(machine), failure->thread);
}

static bool writes(const mz_execution *x, const mz_event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++)
        if (x->records[event->first_access + i].access.kind & MZ_WRITE)
            return true;
    return false;
}

/* The events that the failure came after directly. */
static size_t roots_of(const mz_problem *problem, const mz_machine *machine, const mz_execution *x,
                       uint32_t *roots)
{
    mz_cause causes[MZ_MAX_THREADS];
    uint32_t thread = problem->failure.thread, count = 0;
    size_t found = 0;
    if (!is_partial_deadlock(&problem->failure, machine))
        roots[found++] = (uint32_t)x->length - 1;
    if (x->thread_length[thread] > 0)
        roots[found++] = mz_position_of(x, thread, x->thread_length[thread]);
    MZ_FOR_EACH_THREAD(t, is_partial_deadlock(&problem->failure, machine)
                              ? machine->class->locked_for_ever(machine) & ~mz_threads_of(thread)
                              : MZ_NO_THREADS)
    {
        if (x->thread_length[t] > 0)
            roots[found++] = mz_position_of(x, t, x->thread_length[t]);
    }
    if (machine->class->causes_of_failure)
        count = machine->class->causes_of_failure(machine, thread, causes);
    for (uint32_t i = 0; i < count; i++)
        roots[found++] = mz_position_of(x, causes[i].thread, causes[i].index);
    return found;
}

static bool is_needed(const mz_execution *x, uint32_t e, const uint32_t *roots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (mz_happens_before(x, e, roots[i]))
            return true;
    return false;
}

static void select_events(const mz_problem *problem, const mz_machine *machine, const mz_execution *x,
                          bool *in)
{
    uint32_t roots[2 * MZ_MAX_THREADS + 2];
    size_t root_count = roots_of(problem, machine, x, roots);
    bool partial = is_partial_deadlock(&problem->failure, machine);
    bool everything = needs_everything(&problem->failure) && !partial;
    mz_threads stopped = machine->status->pruned | machine->status->failed;
    uint32_t last = (uint32_t)x->length - 1;
    for (uint32_t i = 0; i < x->length; i++) {
        const mz_event *event = &x->events[i];
        bool final = event->index == x->thread_length[event->thread];
        if ((i != last || partial) && final && event->thread != problem->failure.thread &&
            mz_threads_has(stopped, event->thread) && !writes(x, event))
            in[i] = false;
        else
            in[i] = everything || !x->track_order || is_needed(x, i, roots, root_count);
    }
}

static char *take(mz_text *text)
{
    char *copy = mz_copy_string(mz_text_string(text));
    mz_text_release(text);
    return copy;
}

/* The choices from this one on, and whom it wakes: that tells a choice that has no name. */
static void add_consequence(mz_machine *machine, const mz_choices *choices, size_t first, mz_text *effect)
{
    mz_text words = {0};
    if (machine->class->describe_consequence)
        machine->class->describe_consequence(machine, &words);
    for (size_t i = first; i < choices->count; i++)
        if (choices->made[i].name || words.length == 0)
            mz_text_add(effect, "%s%s = %lld", effect->length ? ", " : "",
                        choices->made[i].name ? choices->made[i].name : "choice",
                        (long long)choices->made[i].value);
    if (words.length > 0)
        mz_text_add(effect, "%s%s", effect->length ? ", " : "", mz_text_string(&words));
    mz_text_release(&words);
}

/* The first choice of an operation under weak memory is where it reads from. What came of it is told instead.
 * How many choices are told so? */
static size_t add_weakness(mz_machine *machine, mz_text *effect)
{
    mz_text words = {0};
    bool chose = machine->class->describe_weakness(machine, false, &words);
    if (words.length > 0) {
        mz_text_clear(effect);
        mz_text_add(effect, "%s", mz_text_string(&words));
    }
    mz_text_release(&words);
    return chose;
}

static bool is_weak_operation(const mz_machine *machine, const mz_operation *o)
{
    return machine->weak && machine->class->describe_weakness && o->order != MZ_PLAIN &&
           o->kind != MZ_OP_FENCE;
}

/* Values before and after: "x = 0" for a read, "x: 0 → 1" for a write. */
static mz_outcome narrated_step(mz_machine *machine, mz_witness_step *step, mz_choices *choices,
                                mz_execution *x)
{
    mz_operation pending, executed;
    mz_text text = {0}, effect = {0}, values = {0};
    machine->class->describe_pending(machine, step->thread, &text, &step->position);
    machine->class->pending(machine, step->thread, &pending);
    uint32_t access_count = pending.access_count;
    mz_access *accesses = mz_allocate(access_count * sizeof *accesses);
    mz_text *before = mz_allocate_zeroed(access_count, sizeof *before);
    mz_text *names = mz_allocate_zeroed(access_count, sizeof *names); /* its frame may be gone afterwards */
    for (uint32_t i = 0; i < access_count; i++) {
        accesses[i] = pending.accesses[i];
        machine->class->describe_location(machine, accesses[i].location, &names[i]);
        machine->class->describe_value(machine, accesses[i].location, &before[i]);
    }
    bool weak = is_weak_operation(machine, &pending);
    if (weak)
        machine->class->describe_weakness(machine, true, NULL);
    if (machine->class->watch_values)
        machine->class->watch_values(machine, accesses, access_count);
    mz_outcome outcome = machine->class->step(machine, step->thread, choices, &executed);
    mz_execution_push(x, step->thread, &executed, choices);
    for (uint32_t i = 0; i < access_count; i++) {
        bool writes = accesses[i].kind & MZ_WRITE;
        if (before[i].length == 0)
            continue; /* nothing that one could say in a word */
        mz_text after = {0};
        const char *name = mz_text_string(&names[i]);
        if (writes)
            machine->class->describe_value(machine, accesses[i].location, &after);
        mz_text_add(&effect, "%s%s%s%s%s%s", effect.length ? ", " : "", name, writes ? ": " : " = ",
                    mz_text_string(&before[i]), writes ? " → " : "", mz_text_string(&after));
        mz_text_add(&values, "%s" MZ_VALUE_PART "%s" MZ_VALUE_PART "%s" MZ_VALUE_END, name,
                    mz_text_string(&before[i]), mz_text_string(&after));
        mz_text_release(&after);
    }
    for (uint32_t i = 0; i < access_count; i++) {
        mz_text_release(&before[i]);
        mz_text_release(&names[i]);
    }
    mz_release(names);
    mz_release(accesses);
    mz_release(before);
    add_consequence(machine, choices, weak ? add_weakness(machine, &effect) : 0, &effect);
    mz_release(step->text);
    mz_release(step->effect);
    mz_release(step->values);
    step->values = take(&values);
    step->text = take(&text);
    step->effect = take(&effect);
    return outcome;
}

/* The steps as an order: all that comes earlier is known. */
static uint32_t knows_of_steps(const void *order, uint32_t thread, uint32_t index, uint32_t of)
{
    const mz_problem *problem = order;
    uint32_t known = 0;
    for (size_t i = 0; i < problem->step_count && index > 0; i++) {
        known += problem->steps[i].thread == of;
        index -= problem->steps[i].thread == thread;
    }
    return known;
}

/* What the calls returned is wrong in this order. */
static bool is_condemned(mz_machine *machine, mz_problem *problem)
{
    const mz_judge *judge = machine->judge;
    const mz_status *status = machine->status;
    return judge && !mz_threads_any(status->ready | status->blocked | status->failed | status->pruned) &&
           judge->condemns(judge->context, machine, knows_of_steps, problem, &problem->failure, NULL);
}

static bool failed_alike(mz_machine *machine, mz_problem *problem, mz_outcome outcome)
{
    const mz_failure *expected = &problem->failure;
    const mz_status *status = machine->status;
    if (expected->kind == MZ_FAIL_HISTORY)
        return outcome == MZ_STEP_DONE && is_condemned(machine, problem);
    if (is_deadlock(expected)) /* the last step may have shown a race besides, after which threads go on */
        return outcome != MZ_STEP_GIVEN_UP && mz_threads_any(status->blocked) &&
               (!mz_threads_any(status->ready | status->failed | status->pruned) ||
                is_partial_deadlock(expected, machine));
    return outcome == MZ_STEP_FAILED &&
           mz_failure_find(machine->failures, machine->failure_count, expected); /* one of several, perhaps */
}

bool mz_witness_is_alike(mz_machine *machine, mz_problem *problem, mz_outcome outcome)
{
    return failed_alike(machine, problem, outcome);
}

/* It could not be followed any further then, and cannot now, in the same words. */
static bool gave_up_alike(const mz_machine *machine, const mz_failure *expected, mz_outcome outcome)
{
    const mz_failure *why = outcome == MZ_STEP_STUCK      ? &machine->stuck
                            : outcome == MZ_STEP_GIVEN_UP ? &machine->failures[machine->failure_count - 1]
                                                          : NULL;
    return why && strcmp(mz_text_string(&why->message), mz_text_string(&expected->message)) == 0;
}

/* ---- the same steps again ------------------------------------------------------------------------------ */

static void explain_not_ready(mz_machine *machine, uint32_t thread, mz_text *out)
{
    const mz_status *status = machine->status;
    mz_text_add(out, "%s %u is not ready: it ", machine->class->thread_word, thread);
    if (mz_threads_has(status->blocked, thread)) {
        mz_text_add(out, "waits for ");
        machine->class->describe_wait(machine, thread, out);
    } else {
        mz_text_add(out, "%s",
                    mz_threads_has(status->finished, thread) ? "has finished"
                    : mz_threads_has(status->failed, thread) ? "has failed before"
                    : mz_threads_has(status->pruned, thread) ? "is not followed any further"
                                                             : "does not exist");
    }
}

/* The same words, but for the numbers of blocks, which are told only where there are several: that may have
 * come to light meanwhile. */
static const char *behind_number(const char *at)
{
    size_t digits = *at == '#' ? strspn(at + 1, "0123456789.") : 0;
    return digits > 0 ? at + 1 + digits : at;
}

static bool same_words(const char *a, const char *b)
{
    for (;; a++, b++) {
        a = behind_number(a);
        b = behind_number(b);
        if (*a != *b)
            return false;
        if (!*a)
            return true;
    }
}

/* What the step is said to be against what the thread is about to do. */
static bool is_other_operation(mz_machine *machine, const mz_witness_step *step, mz_text *out)
{
    if (!step->text)
        return false;
    mz_text now = {0};
    mz_position position = {0};
    machine->class->describe_pending(machine, step->thread, &now, &position);
    bool other = !same_words(mz_text_string(&now), step->text) ||
                 (step->position.line > 0 && position.line != step->position.line);
    if (other)
        mz_text_add(out, "%s %u does another operation: '%s' (line %u) instead of '%s' (line %u)",
                    machine->class->thread_word, step->thread, mz_text_string(&now), position.line,
                    step->text, step->position.line);
    mz_text_release(&now);
    return other;
}

/* What a choice is called is known when it is made. */
static void take_names(mz_choice *choices, size_t count, const mz_choices *from)
{
    for (size_t i = 0; i < count && i < from->count; i++)
        choices[i].name = from->made[i].name;
}

/* Does the step, begun with these choices, differ from the one that was recorded? */
static bool went_otherwise(const mz_machine *machine, mz_outcome outcome, const mz_choices *choices,
                           mz_text *out)
{
    if (outcome == MZ_STEP_GIVEN_UP)
        mz_text_add(out, "%s", mz_text_string(&machine->failures[machine->failure_count - 1].message));
    else if (choices->count != choices->prescribed)
        mz_text_add(out, "the number of choices made is %zu, not %zu", choices->count, choices->prescribed);
    else
        return false;
    return true;
}

static void explain_end(const mz_machine *machine, mz_outcome outcome, mz_text *out)
{
    if (outcome == MZ_STEP_FAILED && machine->failure_count > 0)
        mz_text_add(out, "it fails in another way: %s", mz_text_string(&machine->failures[0].message));
    else
        mz_text_add(out, "no failure");
}

bool mz_witness_replay(mz_problem *problem, mz_machine *machine, size_t *done, mz_text *difference)
{
    mz_choices choices = {0};
    mz_text why = {0};
    mz_execution *x = mz_execution_create(machine, true);
    size_t at = 0; /* the step that is performed, from 1 */
    problem->context_switches = *done = 0;
    mz__moments_begin(problem, machine);
    mz_choices_prescribe(&choices, problem->choices, problem->initial_choices);
    bool repeats = machine->repeats;
    machine->repeats = true;
    machine->sought = &problem->failure;
    mz_outcome outcome = machine->class->reset(machine, &choices);
    mz_execution_restart(x, &choices);
    mz__moments_note(problem, machine, 0);
    take_names(problem->choices, problem->initial_choices, &choices);
    bool differs = went_otherwise(machine, outcome, &choices, &why);
    while (!differs && at < problem->step_count) {
        mz_witness_step *step = &problem->steps[at++];
        if (!mz_threads_has(machine->status->ready, step->thread)) {
            explain_not_ready(machine, step->thread, &why);
            differs = true;
            break;
        }
        differs = is_other_operation(machine, step, &why);
        if (differs)
            break;
        problem->context_switches += at > 1 && problem->steps[at - 2].thread != step->thread;
        mz_choices_prescribe(&choices, mz_witness_choices(problem, step), step->choice_count);
        if (machine->watch)
            machine->watch(machine, at - 1, step->thread);
        outcome = narrated_step(machine, step, &choices, x);
        mz__moments_note(problem, machine, at);
        take_names(mz_witness_choices(problem, step), step->choice_count, &choices);
        *done = at;
        differs = went_otherwise(machine, outcome, &choices, &why);
    }
    mz_release(choices.made);
    if (machine->watch && *done == problem->step_count)
        machine->watch(machine, *done, problem->failure.thread);
    mz__links_take(problem, x);
    mz_execution_destroy(x);
    bool alike = (!differs && failed_alike(machine, problem, outcome)) ||
                 (at == problem->step_count && gave_up_alike(machine, &problem->failure, outcome));
    if (!differs && !alike)
        explain_end(machine, outcome, &why);
    mz__moments_end(problem, machine, alike);
    machine->repeats = repeats;
    machine->sought = NULL;
    mz_text_clear(difference);
    if (!alike && at == 0)
        mz_text_add(difference, "before the first step: %s", mz_text_string(&why));
    else if (!alike)
        mz_text_add(difference, "%s %zu: %s", differs ? "step" : "after step", at, mz_text_string(&why));
    mz_text_release(&why);
    return alike;
}

/* The second time a machine may know more about a failure: the other half of a data race, names of what
 * threads wait for. */
static void take_words(mz_problem *problem, mz_machine *machine)
{
    machine->sought = &problem->failure; /* of its execution more is known */
    if (is_deadlock(&problem->failure) && !mz_threads_any(machine->status->ready))
        mz_waits_alike(machine, &problem->failure, &problem->failure);
    machine->sought = NULL;
    const mz_failure *now = mz_failure_find(machine->failures, machine->failure_count, &problem->failure);
    if (now)
        mz_failure_copy(&problem->failure, now);
}

/* These events, in this order, as the steps: do they fail alike? */
static bool try_steps(mz_problem *problem, mz_machine *machine, const mz_execution *x, const uint32_t *order,
                      size_t count)
{
    size_t done;
    mz_text difference = {0};
    problem->steps = mz_allocate_zeroed(count, sizeof *problem->steps);
    problem->step_count = count;
    for (size_t i = 0; i < count; i++) {
        const mz_event *event = &x->events[order[i]];
        problem->steps[i] = (mz_witness_step){.thread = event->thread,
                                              .first_choice = event->first_choice,
                                              .choice_count = event->choice_count};
    }
    bool alike = mz_witness_replay(problem, machine, &done, &difference);
    mz_text_release(&difference);
    if (alike)
        take_words(problem, machine);
    else
        problem->step_count = done; /* there are no words for the others */
    return alike;
}

void mz_witness_steps_release(mz_witness_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mz_release(steps[i].text);
        mz_release(steps[i].effect);
        mz_release(steps[i].values);
    }
    mz_release(steps);
}

static void release_steps(mz_problem *problem)
{
    mz_witness_steps_release(problem->steps, problem->step_count);
}

/* A real program may fail in local work because of the local work of another thread, which no event orders
 * before it: it uses memory that the other one has freed. Then nothing is left out. */
static bool try_all_steps(mz_problem *problem, mz_machine *machine, const mz_execution *x, uint32_t *order)
{
    if (!machine->class->causes_of_failure)
        return false;
    for (uint32_t i = 0; i < x->length; i++)
        order[i] = i;
    release_steps(problem);
    return try_steps(problem, machine, x, order, x->length);
}

/* What comes before the failure need not have led to it: a value that was written over, say. The last steps
 * of the other threads are left out, one after the other, as long as it still fails alike. (Of a deadlock,
 * where each thread waits is what is to be told.) */
#define SECONDS 0.5

static bool try_without(mz_problem *problem, mz_machine *machine, const mz_execution *x, uint32_t *order,
                        size_t count, size_t at)
{
    uint32_t left_out = order[at];
    memmove(order + at, order + at + 1, (count - 1 - at) * sizeof *order);
    release_steps(problem);
    if (try_steps(problem, machine, x, order, count - 1))
        return true;
    memmove(order + at + 1, order + at, (count - 1 - at) * sizeof *order);
    order[at] = left_out;
    return false;
}

static bool leave_out_more(mz_problem *problem, mz_machine *machine, const mz_execution *x, uint32_t *order,
                           size_t count)
{
    mz_threads failing = mz_threads_of(problem->failure.thread), needed = failing;
    double end = mz_seconds_now() + SECONDS;
    bool is_told = true; /* by the steps, as they are now */
    for (size_t at = count; at-- > 0 && mz_seconds_now() < end;) {
        mz_threads one = mz_threads_of(x->events[order[at]].thread);
        if (mz_threads_any(needed & one))
            continue;
        is_told = try_without(problem, machine, x, order, count, at); /* the thread's last step */
        needed |= one;
        if (is_told) { /* what others have done may not be needed any more, either */
            needed = failing;
            at = --count;
        }
    }
    if (is_told)
        return true;
    release_steps(problem);
    return try_steps(problem, machine, x, order, count);
}

/* A race is met where its later access is. Now that it is known which ones they are, the earlier one is seen
 * on the way. */
static bool see_first_access(mz_problem *problem, mz_machine *machine)
{
    size_t done;
    mz_text difference = {0};
    bool alike = mz_witness_replay(problem, machine, &done, &difference);
    mz_text_release(&difference);
    return alike;
}

/* Positions of the events of a schedule. */
static size_t follow(const mz_execution *x, const uint16_t *schedule, uint32_t *order)
{
    uint32_t *done = mz_allocate_zeroed(x->thread_capacity, sizeof *done);
    for (size_t i = 0; i < x->length; i++)
        order[i] = mz_position_of(x, schedule[i], ++done[schedule[i]]);
    mz_release(done);
    return x->length;
}

bool mz_witness_build(mz_problem *problem, mz_machine *machine, const mz_execution *x,
                      const uint16_t *schedule)
{
    bool *in = mz_allocate_zeroed(x->length, sizeof *in);
    uint32_t *order = mz_allocate(x->length * sizeof *order);
    if (x->length > 0)
        select_events(problem, machine, x, in);
    size_t count =
        schedule ? follow(x, schedule, order) : mz_arrange(x, in, !is_deadlock(&problem->failure), order);
    problem->original_steps = x->length;
    problem->choices = mz_allocate(x->choice_count * sizeof *problem->choices);
    if (x->choice_count > 0)
        memcpy(problem->choices, x->choices, x->choice_count * sizeof *problem->choices);
    problem->choice_count = x->choice_count;
    problem->initial_choices = x->initial_choices;
    bool alike = try_steps(problem, machine, x, order, count);
    if (alike && !schedule && !is_deadlock(&problem->failure))
        alike = leave_out_more(problem, machine, x, order, count);
    alike = alike || try_all_steps(problem, machine, x, order);
    if (alike && problem->failure.kind == MZ_FAIL_RACE)
        alike = see_first_access(problem, machine);
    mz_release(in);
    mz_release(order);
    return alike;
}

void mz_problem_release(mz_problem *problem)
{
    release_steps(problem);
    mz_witness_steps_release(problem->decision.passing, problem->decision.passing_count);
    mz__moments_release(problem);
    mz_release(problem->links);
    mz_release(problem->choices);
    mz_failure_release(&problem->failure);
}
