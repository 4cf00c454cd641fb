#include "safe/verify/minimise.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "program/program.h"
#include "safe/plan/small_set.h"
#include "session/learn.h"

/* What was seen at an operation that an edge names, in all executions that were explored. */
typedef struct seen {
    mz_plan_wait name;
    uint32_t kinds;
    uint32_t location; /* the first that it touched */
    bool elsewhere;    /* it touched another one first in another execution */
} seen;

typedef struct sights {
    mz_machine *machine;
    seen *items;
    size_t count, capacity;
} sights;

typedef struct work {
    const mz_set_job *job;
    bool counts_accesses;
    bool shows; /* progress, on a terminal */
    size_t least;
    size_t first;     /* the start that the last set was not enough for: it is tried first */
    uint64_t traces;  /* under the set that is tried */
    sights now, kept; /* under it, and under the one that was verified last */
    mz_minimised *result;
} work;

static seen *sight_of(sights *all, uint32_t thread, uint32_t count)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].name.thread == thread && all->items[i].name.count == count)
            return &all->items[i];
    all->items = mz_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count] = (seen){.name = {thread, count}, .location = UINT32_MAX};
    return &all->items[all->count++];
}

/* A thread has come to an operation that an edge names. */
static void look(void *context, uint32_t thread, uint32_t count)
{
    sights *all = context;
    mz_machine *machine = all->machine;
    mz_operation operation;
    seen *s = sight_of(all, thread, count);
    machine->class->pending(machine, thread, &operation);
    uint32_t location = operation.access_count > 0 ? operation.accesses[0].location : UINT32_MAX;
    s->elsewhere |= s->kinds != 0 && location != s->location;
    s->kinds |= 1u << operation.kind;
    s->location = location;
}

static void keep_sights(work *w)
{
    sights kept = w->now;
    w->now = w->kept;
    w->kept = kept;
}

static bool is_known(const mz_plan_event *event)
{
    return event->kind != (mz_operation_kind)MZ_PLAN_ANY_KIND;
}

/* What is the same in all executions is compared when the program runs: if it is not as it should be there,
 * something else is counted than was verified. (A loop's read that waits may be of another kind when it does
 * not.) */
static void note_what_is_the_same(work *w, mz_plan *plan)
{
    for (size_t i = 0; i < plan->event_count; i++) {
        mz_plan_event *event = &plan->events[i];
        const seen *s = sight_of(&w->kept, event->thread, event->count);
        if (is_known(event) && (s->kinds != 1u << event->kind || event->kind == MZ_OP_AWAIT))
            event->kind = (mz_operation_kind)MZ_PLAN_ANY_KIND;
        if (s->kinds == 0 || s->elsewhere)
            event->place = MZ_PLAN_NOWHERE;
        if (s->elsewhere) /* its words are those of one execution */
            event->text = is_known(event) ? mz_operation_name(event->kind) : "different operations";
    }
}

static void show_progress(const work *w)
{
    if (!w->shows)
        return;
    fprintf(stderr, "\r\033[K%s: %zu of %u constraints, %llu sets looked at", w->job->settings->files[0],
            w->least, w->result->before, (unsigned long long)w->result->trials);
    fflush(stderr);
}

static double seconds_left(const work *w)
{
    return w->job->deadline > 0 ? w->job->deadline - mz_seconds_now() : 1e9;
}

static mz_search_options options_for(const work *w, const mz_start *start)
{
    mz_search_options options = w->job->settings->search;
    /* Whatever goes wrong is wrong, also what --check leaves out; but an assertion that is not to be looked
     * at is none. */
    options.checks |= MZ_FAILURES_ALL & ~(1u << MZ_FAIL_ASSERTION);
    options.all_errors = false;
    options.safe_prefix = NULL;
    options.one_valuation = start;
    options.valuation = start ? start->inputs : NULL;
    options.valuation_length = start ? start->input_count : 0;
    options.limits.seconds = w->job->deadline > 0 ? seconds_left(w) : 0;
    options.limits.seconds_before = 0;
    options.limits.traces = options.limits.events = 0;
    options.limits.progress = NULL;
    options.limits.interrupted = &mz_interrupted;
    return options;
}

static void note_reason(const work *w, const mz_search *s, const mz_text *cut)
{
    const char *reason = s->problem_count > 0       ? mz_text_string(&s->problems[0].failure.message)
                         : s->incomplete            ? mz_text_string(&s->reason)
                         : s->statistics.pruned > 0 ? "an assumption does not hold"
                                                    : mz_text_string(cut);
    snprintf(w->result->reason, sizeof w->result->reason, "%s", reason);
}

/* The argument why this is enough: safe/plan/constrained.c. The algorithm is exact; an execution that is cut,
 * pruned or given up is none that was verified. *again: the machine has learned something, and the search is
 * worth nothing. */
static mz_trial explore(work *w, const mz_edges *set, const mz_start *start, bool *again)
{
    mz_search s;
    mz_text cut = {0};
    mz_search_options options = options_for(w, start);
    mz_machine *machine = w->job->machine,
               *constrained = mz_constrain(machine, set->edges, set->count, w->counts_accesses);
    mz_constrained_watch(constrained, look, &w->now);
    mz_search_init(&s, constrained, &options);
    mz_algorithm_run(mz_default_algorithm_for(machine), &s);
    mz_native_incomplete(machine, &cut);
    *again = s.begin_again;
    bool unnamed = mz_native_met_unknown_line(machine);
    if (unnamed && cut.length == 0)
        mz_text_add(&cut, "accesses race that did not in other executions, and have no names");
    bool safe = mz_search_verdict(&s) == MZ_SAFE && s.statistics.pruned == 0 && cut.length == 0;
    bool no_time = s.problem_count == 0 && s.incomplete && (seconds_left(w) <= 0 || mz_interrupted);
    w->traces += s.statistics.traces;
    if (!safe)
        note_reason(w, &s, &cut);
    mz_search_release(&s);
    mz_text_release(&cut);
    constrained->class->destroy(constrained);
    return safe ? MZ_TRIAL_SAFE : no_time ? MZ_TRIAL_NO_TIME : MZ_TRIAL_UNSAFE;
}

/* A set that is tried. */
typedef struct attempt {
    work *work;
    const mz_edges *set;
    mz_trial trial;
} attempt;

/* The set has to be enough for every start. */
static bool explore_all(void *context)
{
    attempt *a = context;
    work *w = a->work;
    size_t count = w->job->start_count, at = w->first;
    bool again = false;
    a->trial = MZ_TRIAL_NO_TIME;
    if (seconds_left(w) <= 0 || mz_interrupted)
        return false;
    a->trial = MZ_TRIAL_SAFE;
    w->now.count = 0;
    w->traces = 0;
    if (count == 0)
        a->trial = explore(w, a->set, NULL, &again);
    for (size_t i = 0; i < count && a->trial == MZ_TRIAL_SAFE && !again; i++) {
        at = (w->first + i) % count;
        a->trial = explore(w, a->set, &w->job->starts[at], &again);
    }
    w->first = a->trial == MZ_TRIAL_UNSAFE ? at : w->first;
    return again;
}

static mz_trial verify(void *context, const mz_edges *set)
{
    work *w = context;
    attempt a = {.work = w, .set = set};
    w->result->trials++;
    mz_learn(w->job->machine, mz_native_prepare, true, explore_all, &a);
    if (a.trial == MZ_TRIAL_SAFE) {
        w->least = set->count;
        w->result->traces = w->traces;
        keep_sights(w);
    }
    show_progress(w);
    return a.trial;
}

/* If the program counted otherwise than the check, would that be noticed? */
static bool is_noticed(const mz_set_job *job, const mz_plan *plan)
{
    bool all_known = !plan->iterations; /* nothing is compared in these */
    for (size_t i = 0; i < plan->event_count; i++)
        all_known &= is_known(&plan->events[i]) && plan->events[i].place != MZ_PLAN_NOWHERE;
    return all_known || !job->compares_addresses || !plan->counts_accesses || !plan->edges_only;
}

static void refuse_unless_noticed(const mz_set_job *job, const mz_plan *plan, mz_minimised *result)
{
    if (!result->has_set || is_noticed(job, plan))
        return;
    result->has_set = false;
    snprintf(
        result->reason, sizeof result->reason,
        "strings of C++ access memory according to where it lies, and not everything that the constraints "
        "name could be recognised");
}

static work begin_work(const mz_set_job *job, const mz_plan *plan, mz_minimised *result)
{
    *result = (mz_minimised){.tried = true};
    return (work){.job = job,
                  .counts_accesses = plan->counts_accesses,
                  .shows = !job->settings->quiet && isatty(STDERR_FILENO),
                  .now = {.machine = job->machine},
                  .kept = {.machine = job->machine},
                  .result = result};
}

static void end_work(work *w)
{
    if (w->shows)
        fputs("\r\033[K", stderr);
    mz_release(w->now.items);
    mz_release(w->kept.items);
}

void mz_minimise_plan(const mz_set_job *job, mz_plan *plan, mz_minimised *result)
{
    work w = begin_work(job, plan, result);
    mz_minimisation m = {.plan = plan, .verify = verify, .context = &w};
    mz_edges first = {0};
    mz_edges_of_plan(plan, &first);
    result->before = (uint32_t)first.count;
    w.least = first.count;
    mz_minimise(&m);
    result->has_set = m.has_set;
    if (!m.has_set && !result->reason[0])
        snprintf(result->reason, sizeof result->reason, "the time was up");
    result->is_minimal = m.is_minimal;
    result->after = (uint32_t)m.set.count;
    if (m.has_set)
        mz_plan_keep_edges(plan, &m.set);
    if (plan->edges_only && !plan->iterations)
        note_what_is_the_same(&w, plan);
    refuse_unless_noticed(job, plan, result);
    end_work(&w);
    mz_edges_release(&first);
    mz_edges_release(&m.set);
}

bool mz_set_is_enough(const mz_set_job *job, mz_plan *plan, mz_minimised *result)
{
    work w = begin_work(job, plan, result);
    mz_edges set = {0};
    mz_edges_of_plan(plan, &set);
    result->before = result->after = (uint32_t)set.count;
    result->has_set = verify(&w, &set) == MZ_TRIAL_SAFE;
    if (result->has_set)
        note_what_is_the_same(&w, plan);
    refuse_unless_noticed(job, plan, result);
    end_work(&w);
    mz_edges_release(&set);
    return result->has_set;
}
