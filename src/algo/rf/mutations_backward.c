/* A backward mutation: given the pivot e of a stage, and x that is to come before it, each choice of what the
 * two read from.
 *
 * What is kept of E is determined: what comes before x other than through e, what comes before e, and the
 * pasts of the writes that are read from. If it holds x or e, there is no such mutation. */
#include <string.h>

#include "algo/rf/mutations_internal.h"

static uint32_t count_loose_reads(const mz_mutations *m, const mz__subject *o)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->access_count; i++)
        count += mz__reads_loosely(m, o, i);
    return count;
}

static bool writes(const mz__subject *o, uint32_t location)
{
    for (uint32_t i = 0; i < o->access_count; i++)
        if (o->accesses[i].location == location && (o->accesses[i].kind & MZ_WRITE))
            return true;
    return false;
}

static bool conflict_strictly(const mz_mutations *m, const mz__subject *a, const mz__subject *b)
{
    for (uint32_t i = 0; i < a->access_count; i++)
        if (!mz_is_loose(&m->observation, a->accesses[i].location) &&
            mz_accesses_conflict(&a->accesses[i], 1, b->accesses, b->access_count))
            return true;
    return false;
}

/* Choose what the loose reads of x read from, then those of the pivot. */
static void choose_writers(mz_mutations *m, mz__attempt *a, mz__subject *o, uint32_t i, const uint32_t *set);

static void choose_writer(mz_mutations *m, mz__attempt *a, mz__subject *o, uint32_t i, const uint32_t *set,
                          uint32_t writer)
{
    mz__set_of_events more;
    o->writers[i] = writer;
    if (writer == MZ_NONE || writer == MZ_FIRST_ADDITION) {
        choose_writers(m, a, o, i + 1, set);
        return;
    }
    const uint32_t *clock = mz__observed(m, writer);
    if (clock[a->x.thread] >= a->x.index || clock[a->pivot.thread] >= a->pivot.index)
        return;
    memcpy(more, set, mz__width_of(m) * sizeof *more);
    mz__join(m, more, clock);
    choose_writers(m, a, o, i + 1, more);
}

static void choose_writers(mz_mutations *m, mz__attempt *a, mz__subject *o, uint32_t i, const uint32_t *set)
{
    const mz_execution *x = mz__execution_of(m);
    bool is_pivot = o == &a->pivot;
    while (i < o->access_count && !mz__reads_loosely(m, o, i))
        i++;
    if (i == o->access_count) {
        if (is_pivot)
            mz__finish_attempt(m, a, set);
        else
            choose_writers(m, a, &a->pivot, 0, set);
        return;
    }
    uint32_t location = o->accesses[i].location;
    if (is_pivot && writes(&a->x, location))
        choose_writer(m, a, o, i, set, MZ_FIRST_ADDITION);
    if (is_pivot && a->pivot_reads == 1 && !a->conflict_strictly)
        return; /* it has to read from x */
    choose_writer(m, a, o, i, set, MZ_NONE);
    for (uint32_t r = mz_location_now(x, location).last_write; r != MZ_NONE; r = x->records[r].previous_write)
        choose_writer(m, a, o, i, set, x->records[r].event);
}

/* Is there nothing to choose that x or the pivot could read from? */
static bool has_no_choice(const mz_mutations *m, const mz__attempt *a)
{
    return count_loose_reads(m, &a->x) == 0 &&
           (a->pivot_reads == 0 || (a->pivot_reads == 1 && !a->conflict_strictly));
}

/* Of all that it reads loosely, the pivot reads from x. */
static bool can_read_from_x(const mz_mutations *m, const mz__attempt *a)
{
    for (uint32_t i = 0; a->pivot_reads > 0 && i < a->pivot.access_count; i++) {
        a->pivot.writers[i] = MZ_FIRST_ADDITION;
        if (mz__reads_loosely(m, &a->pivot, i) && !writes(&a->x, a->pivot.accesses[i].location))
            return false;
    }
    return true;
}

MZ_VECTOR void mz__try_attempt(mz_mutations *m, mz__attempt *a)
{
    mz__set_of_events set;
    a->conflict_strictly = conflict_strictly(m, &a->x, &a->pivot);
    a->pivot_reads = count_loose_reads(m, &a->pivot);
    memcpy(set, a->state, mz__width_of(m) * sizeof *set);
    mz__join_past(m, &a->x, set, mz__observed);
    mz__join_strict_past(m, a->e, MZ_NONE, set, mz__width_of(m));
    if (a->x_event != MZ_NONE)
        mz__join_strict_past(m, a->x_event, a->e, set, mz__width_of(m));
    if (set[a->pivot.thread] >= a->pivot.index || set[a->x.thread] >= a->x.index)
        return;
    if (!has_no_choice(m, a)) {
        choose_writers(m, a, &a->x, 0, set);
        return;
    }
    if (can_read_from_x(m, a))
        mz__finish_attempt(m, a, set);
}
