#include "search/search.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "search/safe_prefix.h"
#include "search/scout.h"

void mz_search_init(mz_search *s, mz_machine *machine, const mz_search_options *options)
{
    *s = (mz_search){.machine = machine, .options = *options, .undone = MZ_NONE};
    s->choices.narrows = options->narrows;
    machine->ignore_assertions = !(options->checks & (1u << MZ_FAIL_ASSERTION));
    s->started = mz_seconds_now();
    s->memory_before = machine->class->rewind ? mz_memory_now() : 0;
    s->next_report = s->started + 0.3;
    s->next_sampling = s->started + 0.5;
    bool other = options->safe_prefix || options->stateful || options->depth > 0 || options->one_valuation ||
                 options->bounds_preemptions || options->bounds_delays;
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
    mz_text_release(&s->found_by);
    mz_text_release(&s->sketch);
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
    bool redundant = n->pruned == 0 && n->blocked > 0;
    s->is_vacuous = !redundant;
    s->incomplete = true;
    mz_text_add(&s->reason, "no execution came to its end: %s",
                redundant ? "all were cut short as redundant" : "assumptions prune all of them");
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
    bool ended = (!s->incomplete || s->is_sample) && !s->stop;
    return s->is_vacuous || (s->pruned_at_end && ended &&
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

/* Who is in a loop, most likely, and where. */
static void add_busiest(mz_search *s)
{
    const mz_execution *x = s->execution;
    mz_machine *machine = s->machine;
    mz_threads alive = machine->status->ready | machine->status->blocked;
    uint32_t busiest = 0;
    for (uint32_t t = 0; t < machine->thread_capacity; t++)
        busiest = x->thread_length[t] > x->thread_length[busiest] ? t : busiest;
    bool is_busy = x->thread_length[busiest] > x->length / 2;
    if (is_busy)
        mz_text_add(&s->reason, ", %u of them by %s %u", x->thread_length[busiest],
                    machine->class->thread_word, busiest);
    if (is_busy && mz_threads_has(alive, busiest) && s->machine_depth == x->length) {
        mz_text ignored = {0};
        mz_position place = {0};
        machine->class->describe_pending(machine, busiest, &ignored, &place);
        if (place.file)
            mz_text_add(&s->reason, ", which is at %s:%u", place.file, place.line);
        mz_text_release(&ignored);
    }
    mz_text_add(&s->reason, "; %s", machine->class->loop_hint);
}

void mz_search_stop_as_too_long(mz_search *s, uint64_t limit)
{
    bool was_told = s->incomplete;
    mz_search_stop(s, "an execution is longer than %llu events (--max-depth)", (unsigned long long)limit);
    if (!was_told)
        add_busiest(s);
}

/* A limit was reached in an execution so long that there may be no end of it. */
static void hint_at_loop(mz_search *s)
{
    enum { LONG = 5000 };
    if (!s->execution || s->execution->length < LONG)
        return;
    mz_text_add(&s->reason, ", in an execution of more than %d events", LONG);
    add_busiest(s);
}

static bool is_out_of_time(const mz_search *s, double now)
{
    const mz_limits *limits = &s->options.limits;
    return limits->seconds > 0 && now - s->started + limits->seconds_before >= limits->seconds;
}

static bool stop_if_late(mz_search *s, double now)
{
    if (!is_out_of_time(s, now))
        return false;
    s->is_late = !s->incomplete;
    mz_search_stop(s, "the time limit of %g s was reached (--timeout)", s->options.limits.seconds);
    return true;
}

bool mz_search_stop_if_late(mz_search *s)
{
    return stop_if_late(s, mz_seconds_now());
}

/* An item that takes long gives away less and less often: what it gives then is large, and to hand it over,
 * and to wait for the next one, costs the same as for a small one. */
static uint64_t events_to_next_split(const mz_search *s)
{
    enum { SELDOMEST = 8 };
    uint64_t done = s->statistics.events, most = SELDOMEST * s->split_every;
    return done < s->split_every ? s->split_every : done < most ? done : most;
}

static void plan_split(mz_search *s)
{
    if (s->split_every == 0)
        return;
    if (s->statistics.events >= s->next_split) {
        s->pause = s->pause ? s->pause : MZ_PAUSE_SPLIT;
        s->next_split = s->statistics.events + events_to_next_split(s);
    }
    if (s->next_look > s->next_split)
        s->next_look = s->next_split;
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
    plan_split(s);
    if (limits->interrupted && *limits->interrupted)
        mz_search_stop(s, mz_out_of_processor_time ? MZ_OUT_OF_PROCESSOR_TIME : "interrupted");
    stop_if_late(s, now);
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
