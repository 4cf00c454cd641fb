#include "search/search.h"

#include <time.h>

#include "base/memory.h"
#include "estimate/sampling.h"
#include "search/safe_prefix.h"
#include "search/scout.h"

double mz_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void mz_search_init(mz_search *s, mz_machine *machine, const mz_search_options *options)
{
    *s = (mz_search){.machine = machine, .options = *options};
    machine->ignore_assertions = !(options->checks & (1u << MZ_FAIL_ASSERTION));
    s->started = mz_seconds_now();
    s->memory_before = machine->class->rewind ? mz_memory_now() : 0;
    s->next_report = s->started + 0.3;
    s->next_sampling = s->started + 0.5;
    bool other = options->safe_prefix || options->stateful || options->depth > 0 || options->one_valuation ||
                 options->bounds_preemptions;
    /* where all errors are asked for, each is counted in the executions of the search alone */
    bool scouts = options->scouts && !options->all_errors && !other && !machine->has_boundaries;
    s->next_scouting = scouts ? MZ_SCOUT_AFTER : 0;
}

void mz_search_release(mz_search *s)
{
    mz_execution_destroy(s->execution);
    mz_release(s->nodes);
    mz_release(s->snapshots);
    mz_release(s->choices.made);
    mz_release(s->repeated_choices.made);
    mz_release(s->accesses);
    mz_hash_set_release(&s->visited);
    mz_hash_set_release(&s->boundaries);
    for (size_t i = 0; i < s->problem_count; i++)
        mz_problem_release(&s->problems[i]);
    mz_release(s->problems);
    mz_release(s->open);
    mz_unasked_release(&s->unasked);
    mz_text_release(&s->reason);
}

void mz_search_start_over(mz_search *s)
{
    mz_execution_destroy(s->execution);
    s->execution = NULL;
    s->open_count = 0;
    for (size_t i = 0; i < s->problem_count; i++)
        s->problems[i].occurrences = 0;
    s->statistics = (mz_statistics){.events = s->statistics.events};
    mz_hash_set_clear(&s->boundaries);
    s->pruned_at_end = false;
    s->stop = false;
}

void mz_search_restart(mz_search *s)
{
    mz_search_start_over(s);
    for (size_t i = 0; i < s->problem_count; i++)
        mz_problem_release(&s->problems[i]);
    s->problem_count = 0;
    mz_unasked_release(&s->unasked);
    s->internal_error = false;
}

static void close_cut(mz_search *s)
{
    if (s->statistics.cut == 0)
        return;
    s->incomplete = true;
    mz_text_add(&s->reason, "%sexecutions were cut after %llu events (--depth)",
                s->reason.length > 0 ? "; " : "", (unsigned long long)s->options.depth);
}

/* Of nothing, everything can be said. */
static void close_empty(mz_search *s)
{
    const mz_statistics *n = &s->statistics;
    if (s->incomplete || s->stop || s->pruned_at_end || s->stuck > 0 ||
        n->traces + n->repeated + n->revisited > 0)
        return;
    s->is_vacuous = s->incomplete = true;
    mz_text_add(&s->reason, "no execution came to its end: assumptions prune all of them");
}

void mz_search_close(mz_search *s)
{
    if (s->begin_again)
        return;
    close_cut(s);
    mz_unasked_close(s);
    close_empty(s);
}

bool mz_search_pruned_all(const mz_search *s)
{
    return s->is_vacuous || (s->pruned_at_end && !s->incomplete && !s->stop &&
                             s->statistics.traces + s->statistics.repeated + s->statistics.revisited == 0);
}

mz_verdict mz_search_verdict(const mz_search *s)
{
    if (s->internal_error)
        return MZ_INTERNAL_ERROR;
    if (s->problem_count > 0)
        return MZ_UNSAFE;
    return s->incomplete ? MZ_INCOMPLETE : MZ_SAFE;
}

void mz_search_stop(mz_search *s, const char *format, ...)
{
    s->stop = true;
    if (s->incomplete)
        return;
    s->incomplete = true;
    va_list arguments;
    va_start(arguments, format);
    mz_text_add_list(&s->reason, format, arguments);
    va_end(arguments);
}

void mz_search_sample(mz_search *s, double seconds)
{
    const mz_limits *limits = &s->options.limits;
    bool is_part = s->execution && s->execution->initial_choices > 0 && s->options.one_valuation;
    if (s->options.sampling == MZ_SAMPLE_NOTHING || limits->memory > 0) /* it needs memory of its own */
        return;
    if (is_part) /* samples are of all valuations */
        return;
    mz_estimate_options options = {.interleavings = s->options.sampling == MZ_SAMPLE_INTERLEAVINGS,
                                   .deadline = mz_seconds_now() + seconds,
                                   .depth = limits->depth};
    mz_estimate estimate = mz_estimate_size(s->machine, &options);
    s->machine_depth = SIZE_MAX;
    s->machine_prefix = 0;
    if (estimate.known)
        s->total = estimate.executions;
}

void mz_search_sample_meanwhile(mz_search *s)
{
    mz_search_sample(s, s->sampling_due);
    s->sampling_due = 0;
    if (s->machine->begin_again)
        s->stop = s->begin_again = true;
    else if (s->machine->class->rewind)
        mz_search_repeat(s);
}

/* A first idea soon, a better one when it is clear that this takes long: never more than a fifth of the time.
 */
static void plan_sampling(mz_search *s, double now)
{
    if (now < s->next_sampling || !s->options.limits.progress)
        return;
    bool is_first = s->total == 0 && now < s->started + 5;
    s->sampling_due = is_first ? 0.1 : 1;
    s->next_sampling = is_first ? s->started + 5 : now + 1e9;
}

static void report_progress(mz_search *s, double now)
{
    if (!s->options.limits.progress || now < s->next_report || s->statistics.events == 0)
        return;
    s->next_report = now + 0.25;
    double seconds = now - s->started;
    mz_progress progress = {
        .traces = s->statistics.traces,
        .events = s->statistics.events,
        .seconds = seconds,
        .traces_per_second = (double)s->statistics.traces / seconds,
        .share_done = mz_search_share_done(s),
        .depth = (uint32_t)s->execution->length,
    };
    s->options.limits.progress(s->options.limits.progress_context, &progress);
}

static void stop_for_memory(mz_search *s)
{
    mz_search_stop(s, "the memory limit of %llu MiB was reached (--max-memory)",
                   (unsigned long long)(s->options.limits.memory >> 20));
}

bool mz_search_has_room(mz_search *s, size_t snapshot_bytes)
{
    uint64_t limit = s->options.limits.memory;
    if (snapshot_bytes <= s->snapshot_capacity || limit == 0 ||
        snapshot_bytes + s->snapshot_capacity <= limit)
        return true;
    stop_for_memory(s);
    return false;
}

/* A limit was reached in an execution so long that there may be no end of it. */
static void hint_at_loop(mz_search *s)
{
    enum { LONG = 5000 };
    if (s->execution && s->execution->length >= LONG)
        mz_text_add(&s->reason, ", in an execution of more than %d events; %s", LONG,
                    s->machine->class->loop_hint);
}

static bool is_out_of_time(const mz_search *s, double now)
{
    const mz_limits *limits = &s->options.limits;
    return limits->seconds > 0 && now - s->started + limits->seconds_before >= limits->seconds;
}

static void stop_for_time(mz_search *s)
{
    mz_search_stop(s, "the time limit of %g s was reached (--timeout)", s->options.limits.seconds);
}

/* Clocks and system calls are too dear for every event: every thousandth, or more often where events are
 * slow. */
void mz_search_look_around(mz_search *s)
{
    const mz_limits *limits = &s->options.limits;
    double now = mz_seconds_now();
    bool was_incomplete = s->incomplete;
    s->look_interval = now - s->last_look > 0.01 ? s->look_interval / 2 + 1
                       : s->look_interval < 1024 ? s->look_interval * 2 + 1
                                                 : s->look_interval;
    s->last_look = now;
    s->next_look = s->statistics.events + s->look_interval;
    if (limits->events > 0 && s->next_look > limits->events)
        s->next_look = limits->events;
    if (s->next_scouting > 0 && s->statistics.events >= s->next_scouting)
        s->scouting_due = true;
    else if (s->next_scouting > 0 && s->next_look > s->next_scouting)
        s->next_look = s->next_scouting;
    if (limits->interrupted && *limits->interrupted)
        mz_search_stop(s, "interrupted");
    if (is_out_of_time(s, now))
        stop_for_time(s);
    if (limits->memory > 0 && now >= s->next_memory_look) {
        s->next_memory_look = now + 0.02; /* asking the system is dear */
        uint64_t before = s->memory_before >= limits->memory ? s->memory_before : 0;
        if (mz_memory_now() >= limits->memory + before)
            stop_for_memory(s);
    }
    plan_sampling(s, now);
    report_progress(s, now);
    if (limits->events > 0 && s->statistics.events >= limits->events)
        mz_search_stop(s, "the limit of %llu events was reached (--max-events)",
                       (unsigned long long)limits->events);
    if (s->incomplete && !was_incomplete)
        hint_at_loop(s);
}

void mz_search_stop_with_traces(mz_search *s)
{
    mz_search_stop(s, "the limit of %llu traces was reached (--max-traces)",
                   (unsigned long long)s->options.limits.traces);
}

/* What need not be told is found by the order of the events. */
static void build_witness(mz_search *s, mz_problem *problem)
{
    mz_execution *ordered =
        s->execution->track_order ? NULL : mz_execution_with_order(s->execution, s->machine);
    if (!mz_witness_build(problem, s->machine, ordered ? ordered : s->execution)) {
        s->internal_error = problem->unreplayed = true;
        mz_search_stop(s, "internal error: the counterexample does not replay");
    }
    mz_execution_destroy(ordered);
}

void mz_search_found(mz_search *s, const mz_failure *failure)
{
    if (!(s->options.checks & (1u << failure->kind))) {
        mz_unasked_note(s, failure);
        return;
    }
    if (!s->options.all_errors)
        s->stop = true;
    size_t known = 0;
    while (known < s->problem_count && !mz_failure_same(&s->problems[known].failure, failure))
        known++;
    s->open = mz_grow(s->open, &s->open_capacity, s->open_count + 1, sizeof *s->open);
    s->open[s->open_count++] = (mz_open_problem){known, s->execution->length};
    if (known < s->problem_count)
        return;
    s->problems = mz_grow(s->problems, &s->problem_capacity, s->problem_count + 1, sizeof *s->problems);
    mz_problem *problem = &s->problems[s->problem_count];
    *problem = (mz_problem){0};
    mz_failure_copy(&problem->failure, failure);
    s->problem_count++;
    build_witness(s, problem);
    s->machine_depth = SIZE_MAX;
    s->machine_prefix = 0;
}

/* ---- going back ------------------------------------------------------------------------------------ */

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
    bool is_late = is_out_of_time(s, mz_seconds_now());
    if (is_late)
        stop_for_time(s);
    else if (why)
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
