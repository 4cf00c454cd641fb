/* What a thread reads by default: the first candidates that can be realised.
 *
 * Of the writes in a set, a read can not read from those that are before another write in its past, nor the
 * initial value if there is such a write. The rest are candidates; whether one can be realised after all is
 * left to the realiser. An event is not the default if something else comes first and can be realised, which
 * is looked for in the order of candidates, so that the search ends at what the event reads from itself. */
#include <string.h>

#include "algo/rf/mutations_internal.h"

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
    return mz__event_of(x, x->records[x->events[position].first_access + i].previous_write);
}

static bool has_better(mz_mutations *m, const uint32_t *set, mz__subject *o, uint32_t position, uint32_t i,
                       bool differs);

/* What comes before the writes of the location in the operation's past, which hide it. Are there any? */
static bool find_hidden(mz_mutations *m, const mz__subject *o, uint32_t location, uint32_t *hidden)
{
    mz__set_of_events past = {0};
    bool any = false;
    mz__join_past(m, o, past, mz__observed);
    MZ_FOR_EACH_THREAD(t, m->observation.natures[location].users)
    {
        uint32_t last = mz__last_write_of(m, location, t, past[t]);
        if (last == MZ_NONE)
            continue;
        any = true;
        mz__set_of_events before; /* the last of them tells it of all */
        memcpy(before, mz__observed(m, last), mz__width_of(m) * sizeof *before);
        before[t]--;
        mz__join(m, hidden, before);
    }
    return any;
}

/* Reads the i-th access from the candidate; false if it does not come before what the event reads. */
static bool try_better(mz_mutations *m, const uint32_t *set, mz__subject *o, uint32_t position, uint32_t i,
                       bool differs, uint32_t candidate, bool *found)
{
    uint32_t actual = reads_from(mz__execution_of(m), position, i);
    if (!differs && candidate != actual && !mz__comes_first(mz__execution_of(m), candidate, actual))
        return false;
    o->writers[i] = candidate;
    *found = has_better(m, set, o, position, i + 1, differs || candidate != actual);
    return !*found;
}

/* Is there something else to read from, from the i-th access on, that comes first and is possible? So far the
 * writers are those of the event, or (`differs`) come first. */
static bool has_better(mz_mutations *m, const uint32_t *set, mz__subject *o, uint32_t position, uint32_t i,
                       bool differs)
{
    while (i < o->access_count && !mz__reads_loosely(m, o, i))
        i++;
    if (i == o->access_count)
        return differs && is_possible(m, set, o);
    uint32_t location = o->accesses[i].location;
    mz__set_of_events hidden = {0};
    bool found = false, initial = !find_hidden(m, o, location, hidden);
    const mz_execution *x = mz__execution_of(m);
    for (mz_threads users = m->observation.natures[location].users; mz_threads_any(users);) {
        uint32_t t = mz_threads_last(users), length = set[t], candidate;
        users &= ~mz_threads_of(t);
        while ((candidate = mz__last_write_of(m, location, t, length)) != MZ_NONE &&
               x->events[candidate].index > hidden[t]) {
            if (!try_better(m, set, o, position, i, differs, candidate, &found))
                return found;
            length = x->events[candidate].index - 1;
        }
    }
    if (initial)
        try_better(m, set, o, position, i, differs, MZ_NONE, &found);
    return found;
}

/* A cheap test first. After the events of the set, in the order of E, an operation reads from the last write:
 * that is possible in any case. If it comes before what the event reads, that is not the default. If that is
 * what it reads, and it is no write at all, or nobody of a higher thread writes the location, nothing comes
 * before it. */
static mz_certainty is_default_at_once(mz_mutations *m, const uint32_t *set, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    mz_certainty result = MZ_YES;
    for (uint32_t i = 0; i < event->access_count; i++) {
        mz_access access = x->records[event->first_access + i].access;
        if (!mz_is_loose_read(&m->observation, access))
            continue;
        uint32_t last = mz__last_write_in(m, set, access.location), actual = reads_from(x, position, i);
        if (last != actual)
            return mz__comes_first(x, last, actual) ? MZ_NO : MZ_UNKNOWN;
        mz_threads users = m->observation.natures[access.location].users;
        if (actual != MZ_NONE && mz_threads_last(users) > x->events[actual].thread)
            result = MZ_UNKNOWN;
    }
    return result;
}

typedef struct comparison {
    uint32_t position;
    bool is_same;
} comparison;

/* The first way is the default. Is it the event's? */
static bool compare_first(mz__ways *w)
{
    comparison *c = w->context;
    const mz_execution *x = mz__execution_of(w->m);
    const mz__subject *o = &w->operation;
    c->is_same = w->is_ready && o->access_count == x->events[c->position].access_count;
    for (uint32_t i = 0; i < o->access_count && c->is_same; i++) {
        const mz_access_record *record = &x->records[x->events[c->position].first_access + i];
        c->is_same = record->access.location == o->accesses[i].location &&
                     (!mz__reads_loosely(w->m, o, i) || reads_from(x, c->position, i) == o->writers[i]);
    }
    return true;
}

static bool is_first_way(mz_mutations *m, const uint32_t *set, const mz__subject *o, uint32_t position)
{
    comparison c = {.position = position};
    mz__walk_ways(&(mz__ways){.m = m,
                              .slot = MZ__OF_DEFAULT,
                              .operation = *o,
                              .set = set,
                              .is_enough = compare_first,
                              .context = &c});
    return c.is_same;
}

bool mz__is_default(mz_mutations *m, const uint32_t *set, uint32_t position)
{
    if (!mz__has_loose_read(m, position))
        return true;
    mz_certainty at_once = is_default_at_once(m, set, position);
    if (at_once == MZ_NO)
        return false;
    mz__subject o = mz__subject_of_event(m, MZ__OF_DEFAULT, position);
    if (at_once == MZ_YES && !o.moves)
        return true;
    return o.moves ? is_first_way(m, set, &o, position) : !has_better(m, set, &o, position, 0, false);
}
