/* What a thread reads by default: the first candidates that can be realised.
 *
 * Of the writes in a set, a read can not read from those that are before another write in its past, nor the
 * initial value if there is such a write. The rest are candidates; whether one can be realised after all is
 * left to the realiser. An event is not the default if something else comes first and can be realised, which
 * is looked for in the order of candidates, so that the search ends at what the event reads from itself. */
#include <string.h>

#include "base/memory.h"
#include "explore/mutations_internal.h"

/* Candidates to read from: the higher thread first, in a thread the later write; the initial value last. */
static bool comes_first(const mz_execution *x, uint32_t a, uint32_t b)
{
    if (a == MZ_NONE || b == MZ_NONE)
        return b == MZ_NONE && a != MZ_NONE;
    const mz_event *one = &x->events[a], *other = &x->events[b];
    return one->thread != other->thread ? one->thread > other->thread : one->index > other->index;
}

size_t mz__push_candidates(mz_mutations *m, const mz__subject *o, const uint32_t *set, uint32_t location,
                           mz__clock_function clock)
{
    const mz_execution *x = mz__execution_of(m);
    mz__set_of_events past = {0}, hidden = {0};
    bool initial = true;
    size_t first = m->candidate_count;
    mz__join_past(m, o, past, clock);
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE;
         r = x->records[r].previous_write) {
        uint32_t position = x->records[r].event;
        const mz_event *event = &x->events[position];
        if (!mz__is_in(set, event))
            continue;
        if (mz__is_in(past, event)) { /* it hides what is before it */
            initial = false;
            mz__set_of_events before;
            memcpy(before, clock(m, position), mz__width_of(m) * sizeof *before);
            before[event->thread]--;
            mz__join(m, hidden, before);
        }
        m->candidates =
            mz_grow(m->candidates, &m->candidate_capacity, m->candidate_count + 2, sizeof *m->candidates);
        m->candidates[m->candidate_count++] = position;
    }
    size_t kept = first;
    for (size_t i = first; i < m->candidate_count; i++)
        if (!mz__is_in(hidden, &x->events[m->candidates[i]]))
            m->candidates[kept++] = m->candidates[i];
    m->candidates = mz_grow(m->candidates, &m->candidate_capacity, kept + 1, sizeof *m->candidates);
    if (initial)
        m->candidates[kept++] = MZ_NONE;
    m->candidate_count = kept;
    return kept - first;
}

static void sort_candidates(mz_mutations *m, size_t first)
{
    const mz_execution *x = mz__execution_of(m);
    for (size_t i = first + 1; i < m->candidate_count; i++) {
        uint32_t candidate = m->candidates[i];
        size_t at = i;
        for (; at > first && comes_first(x, candidate, m->candidates[at - 1]); at--)
            m->candidates[at] = m->candidates[at - 1];
        m->candidates[at] = candidate;
    }
}

/* Can the operation, after the events of the set, read as its writers say? */
static bool is_possible(mz_mutations *m, const uint32_t *set, mz__subject *o)
{
    const mz__subject *subjects[] = {o};
    if (mz__realise_subjects(m, set, subjects, 1))
        return true;
    if (!o->conditional)
        return false;
    mz__take_for_read(m, o);
    bool possible = mz__realise_subjects(m, set, subjects, 1) && !mz__would_write(m, o->thread);
    mz__take_for_write(m, o);
    return possible;
}

/* What the event at this position reads from in its i-th access. */
static uint32_t reads_from(const mz_execution *x, uint32_t position, uint32_t i)
{
    uint32_t record = x->records[x->events[position].first_access + i].previous_write;
    return record == MZ_NONE ? MZ_NONE : x->records[record].event;
}

/* Is there something else to read from, from the i-th access on, that comes first and is possible? So far the
 * writers are those of the event, or (`differs`) come first. */
static bool has_better(mz_mutations *m, const uint32_t *set, mz__subject *o, uint32_t position, uint32_t i,
                       bool differs)
{
    if (i == o->access_count)
        return differs && is_possible(m, set, o);
    if (!mz__reads_loosely(m, o, i))
        return has_better(m, set, o, position, i + 1, differs);
    size_t first = m->candidate_count,
           count = mz__push_candidates(m, o, set, o->accesses[i].location, mz__observed);
    uint32_t actual = reads_from(mz__execution_of(m), position, i);
    bool found = false;
    sort_candidates(m, first);
    for (size_t c = 0; c < count && !found; c++) {
        uint32_t candidate = m->candidates[first + c];
        if (!differs && candidate != actual && !comes_first(mz__execution_of(m), candidate, actual))
            break;
        o->writers[i] = candidate;
        found = has_better(m, set, o, position, i + 1, differs || candidate != actual);
    }
    m->candidate_count = first;
    return found;
}

bool mz__has_loose_read(const mz_mutations *m, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++)
        if (mz_is_loose_read(&m->observation, x->records[event->first_access + i].access))
            return true;
    return false;
}

/* A cheap test first. After the events of the set, in the order of E, an operation reads from the last write:
 * that is possible in any case. Does it come first? */
static bool has_better_last(const mz_mutations *m, const uint32_t *set, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        mz_access access = x->records[event->first_access + i].access;
        if (!mz_is_loose_read(&m->observation, access))
            continue;
        uint32_t r = mz_location_now(x, access.location).last_write;
        while (r != MZ_NONE && !mz__is_in(set, &x->events[x->records[r].event]))
            r = x->records[r].previous_write;
        uint32_t last = r == MZ_NONE ? MZ_NONE : x->records[r].event, actual = reads_from(x, position, i);
        if (last != actual)
            return comes_first(x, last, actual);
    }
    return false;
}

bool mz__is_default(mz_mutations *m, const uint32_t *set, uint32_t position)
{
    if (!mz__has_loose_read(m, position))
        return true;
    if (has_better_last(m, set, position))
        return false;
    mz__subject o = mz__subject_of_event(m, MZ__OF_DEFAULT, position);
    return !has_better(m, set, &o, position, 0, false);
}
