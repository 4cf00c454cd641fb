#include "pool/harvest.h"

#include <string.h>

#include "base/memory.h"

void mz_harvest_release(mz_harvest *h)
{
    for (size_t i = 0; i < h->problem_count; i++)
        mz_problem_release(&h->problems[i]);
    mz_release(h->problems);
    mz_unasked_release(&h->unasked);
    mz_text_release(&h->reason);
    mz_text_release(&h->found_by);
    mz_hash_set_release(&h->traces);
    *h = (mz_harvest){0};
}

/* ---- from searches, and back ----------------------------------------------------------------------------
 */

void mz_harvest_take(mz_harvest *h, mz_search *s)
{
    *h = (mz_harvest){.statistics = s->statistics,
                      .stuck = s->stuck,
                      .stopped = s->stop,
                      .incomplete = s->incomplete,
                      .gave_up = s->gave_up,
                      .pruned_at_end = s->pruned_at_end,
                      .is_finer = s->is_finer,
                      .refined = s->machine->refined,
                      .narrowed = s->choices.narrowed,
                      .internal_error = s->internal_error,
                      .reason = s->reason,
                      .found_by = s->found_by,
                      .problems = s->problems,
                      .problem_count = s->problem_count,
                      .problem_capacity = s->problem_capacity,
                      .unasked = s->unasked,
                      .traces = s->visited};
    h->statistics.events -= s->passed_events;
    h->statistics.dependency_checks -= s->passed_checks;
    s->reason = s->found_by = (mz_text){0};
    s->visited = (mz_hash_set){0};
    s->problems = NULL;
    s->problem_count = s->problem_capacity = 0;
    s->unasked = (mz_unasked){0};
}

void mz_harvest_goes_on(mz_harvest *h)
{
    h->stopped = h->incomplete = false;
    mz_text_clear(&h->reason);
}

void mz_harvest_give(mz_harvest *h, mz_search *s)
{
    mz_harvest old;
    mz_harvest_take(&old, s);
    mz_harvest_release(&old);
    s->statistics = h->statistics;
    s->passed_events = s->passed_checks = 0;
    s->stuck = h->stuck;
    s->stop = h->stopped;
    s->incomplete = h->incomplete;
    s->gave_up = h->gave_up;
    s->pruned_at_end = h->pruned_at_end;
    s->is_finer = h->is_finer;
    s->machine->refined |= h->refined;
    s->choices.narrowed = h->narrowed;
    s->internal_error = h->internal_error;
    s->reason = h->reason;
    s->found_by = h->found_by;
    s->visited = h->traces;
    s->problems = h->problems;
    s->problem_count = h->problem_count;
    s->problem_capacity = h->problem_capacity;
    s->unasked = h->unasked;
    *h = (mz_harvest){0};
}

/* ---- one after the other --------------------------------------------------------------------------------
 */

/* An error is told once, as it was found first. */
static void add_problem(mz_harvest *h, mz_problem *problem)
{
    for (size_t i = 0; i < h->problem_count; i++)
        if (mz_failure_repeated(&h->problems[i].failure, &problem->failure)) {
            h->problems[i].occurrences += problem->occurrences;
            mz_problem_release(problem);
            return;
        }
    h->problems = mz_grow(h->problems, &h->problem_capacity, h->problem_count + 1, sizeof *h->problems);
    h->problems[h->problem_count++] = *problem;
}

static void add_unasked(mz_unasked *u, mz_failure *failure)
{
    for (size_t i = 0; i < u->count; i++)
        if (mz_failure_same(&u->failures[i], failure)) {
            mz_failure_release(failure);
            return;
        }
    if (u->count < MZ_MOST_UNASKED) {
        u->failures[u->count++] = *failure;
    } else {
        u->more = true;
        mz_failure_release(failure);
    }
}

/* Those that were met before are repeated ones. */
static void add_traces(mz_harvest *h, const mz_hash_set *later)
{
    uint64_t again = 0;
    if (h->traces.count == 0 && later->count == 0)
        return;
    for (const mz_hash *trace = NULL; (trace = mz_map_next(later, sizeof *trace, trace));)
        again += !mz_hash_set_add(&h->traces, *trace);
    h->statistics.traces -= again;
    h->statistics.repeated += again;
}

void mz_harvest_add(mz_harvest *h, mz_harvest *later)
{
#define MZ_X(field, key, label) h->statistics.field += later->statistics.field;
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    add_traces(h, &later->traces);
    h->stuck += later->stuck;
    if (!h->incomplete && later->incomplete) {
        mz_text_release(&h->reason);
        h->reason = later->reason;
        later->reason = (mz_text){0};
    }
    if (h->found_by.length == 0 && h->problem_count == 0)
        mz_text_add(&h->found_by, "%s", mz_text_string(&later->found_by));
    h->stopped |= later->stopped;
    h->incomplete |= later->incomplete;
    h->gave_up |= later->gave_up;
    h->pruned_at_end |= later->pruned_at_end;
    h->is_finer |= later->is_finer;
    h->refined |= later->refined;
    h->narrowed |= later->narrowed;
    h->internal_error |= later->internal_error;
    h->lost |= later->lost;
    for (size_t i = 0; i < later->problem_count; i++)
        add_problem(h, &later->problems[i]);
    later->problem_count = 0;
    for (size_t i = 0; i < later->unasked.count; i++)
        add_unasked(&h->unasked, &later->unasked.failures[i]);
    h->unasked.more |= later->unasked.more;
    later->unasked.count = 0;
    mz_harvest_release(later);
}
