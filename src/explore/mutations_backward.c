/* Backward mutations: for the pivot e of a stage, each x that could come before it and make a difference to
 * it, and each choice of what the two read from.
 *
 * All x are tried for which E can be the parent of the result: events of E that conflict with e, and
 * operations that wait at its end. What is kept of E is determined: what comes before x other than through e,
 * what comes before e, and the pasts of the writes that are read from. If it holds x or e, there is no such
 * mutation. What is left out here are cases that mutations_parent.c would refuse. */
#include <string.h>

#include "explore/mutations_internal.h"

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

static void join_record(const mz_mutations *m, uint32_t record, uint32_t but, uint32_t *set)
{
    const mz_execution *x = mz__execution_of(m);
    if (record != MZ_NONE && x->records[record].event != but)
        mz__join(m, set, mz__observed(m, x->records[record].event));
}

/* What the event comes after because of strict locations, other than through one event. */
static void join_strict_past(const mz_mutations *m, uint32_t position, uint32_t but, uint32_t *set)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const mz_access_record *record = &x->records[event->first_access + i];
        if (mz_is_loose(&m->observation, record->access.location))
            continue;
        /* hidden behind that one is what it comes after itself */
        join_record(m, record->previous_write, but, set);
        for (uint32_t r = record->previous_read; (record->access.kind & MZ_WRITE) && r != MZ_NONE;
             r = x->records[r].previous_read)
            join_record(m, r, but, set);
    }
}

/* Is there nothing to choose that x or the pivot could read from? */
static bool has_no_choice(const mz_mutations *m, const mz__attempt *a)
{
    return count_loose_reads(m, &a->x) == 0 &&
           (a->pivot_reads == 0 || (a->pivot_reads == 1 && !a->conflict_strictly));
}

static void try_x(mz_mutations *m, mz__attempt *a)
{
    mz__set_of_events set = {0}, beginning;
    a->conflict_strictly = conflict_strictly(m, &a->x, &a->pivot);
    memcpy(set, a->state, mz__width_of(m) * sizeof *set);
    mz__join_past(m, &a->x, set, mz__observed);
    join_strict_past(m, a->e, MZ_NONE, set);
    if (a->x_event != MZ_NONE)
        join_strict_past(m, a->x_event, a->e, set);
    if (set[a->pivot.thread] >= a->pivot.index || set[a->x.thread] >= a->x.index)
        return;
    mz__beginning_of(m, a, set, beginning);
    if (!has_no_choice(m, a) || mz__bends_are_kept(m, a, beginning))
        choose_writers(m, a, &a->x, 0, set);
}

/* Could the event come before the pivot e and make a difference to it? A compare-and-swap of a loose location
 * may write if it reads from another write. On strict locations two operations that only read in E, e first,
 * do so in the other order, too: e has changed nothing for x. */
static bool is_relevant(const mz_mutations *m, uint32_t e, const mz_event *event, const mz_access *accesses,
                        uint32_t count)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *pivot = &x->events[e];
    bool conditional = event && mz_may_only_read(event->conditional, event->kind);
    for (uint32_t i = 0; i < pivot->access_count; i++) {
        mz_access own = x->records[pivot->first_access + i].access;
        bool loose = mz_is_loose(&m->observation, own.location);
        for (uint32_t j = 0; j < count; j++) {
            mz_access other = event ? x->records[event->first_access + j].access : accesses[j];
            if (other.location != own.location)
                continue;
            bool writes = other.kind & MZ_WRITE;
            if (loose ? (writes || conditional) && (own.kind & MZ_READ) : writes || (own.kind & MZ_WRITE))
                return true;
        }
    }
    return false;
}

/* Every bend in later stages has to be kept, or be x: more than one must not come after e. */
static bool can_be_moved(const mz_mutations *m, uint32_t stage, const mz_event *e)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t after = 0;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        after += m->last_bend[t] > 0 && m->bend_stage[t] > stage &&
                 mz__observed(m, mz_position_of(x, t, m->last_bend[t]))[e->thread] >= e->index;
    return after <= 1;
}

/* Does it make no difference to the operation what comes before it? */
static bool only_writes_loosely(const mz_mutations *m, const mz__subject *o)
{
    for (uint32_t i = 0; i < o->access_count; i++)
        if (!mz_is_loose(&m->observation, o->accesses[i].location) || (o->accesses[i].kind & MZ_READ))
            return false;
    return true;
}

/* No x stands before this position. If there are no bends in later stages, all that is not in the state has
 * been added by default since, in this order. If there are, and x just writes, they come before x or are it.
 */
static uint32_t first_candidate(const mz_mutations *m, const mz__attempt *a)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_location_nature *nature = &m->observation.natures[a->pivot.accesses[0].location];
    uint32_t last = MZ_NONE;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (m->last_bend[t] > 0 && m->bend_stage[t] > a->stage) {
            uint32_t position = mz_position_of(x, t, m->last_bend[t]);
            if (mz_stands_before(last, position))
                last = position;
        }
    if (last != MZ_NONE)
        return nature->loose && !nature->written_on_the_way ? last : 0;
    return a->stage > m->planned_stage ? a->e : 0;
}

static void try_event(mz_mutations *m, mz__attempt *a, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    if (event->thread == x->events[a->e].thread || mz__is_in(a->state, event) ||
        !is_relevant(m, a->e, event, NULL, event->access_count))
        return;
    a->x = mz__subject_of_event(m, MZ__OF_X, position);
    a->x_event = position;
    if (!mz__has_higher_choice(x, event))
        try_x(m, a);
    a->x_event = MZ_NONE;
    if (a->x.blocking)
        try_x(m, a);
}

static void try_waiting(mz_mutations *m, mz__attempt *a, uint32_t thread)
{
    mz_search *s = m->search;
    mz_operation pending;
    mz_cause causes[MZ_MAX_THREADS];
    mz_search_return_to(s, s->execution->length);
    s->machine->class->pending(s->machine, thread, &pending);
    if (thread == a->pivot.thread || !is_relevant(m, a->e, NULL, pending.accesses, pending.access_count))
        return;
    a->x = mz__subject_pending(m, MZ__OF_X, &pending, thread);
    for (uint32_t i = 0; i < pending.cause_count; i++)
        causes[i] = pending.causes[i]; /* the machine reuses its own */
    a->x.causes = causes;
    a->x_event = MZ_NONE;
    try_x(m, a);
}

void mz__mutate_stage(mz_mutations *m, uint32_t stage, mz_threads waiting)
{
    const mz_execution *x = mz__execution_of(m);
    mz__attempt a = {.stage = stage, .e = m->pivots[stage], .state = mz__state_before(m, stage)};
    if (a.e == MZ_NONE || x->events[a.e].access_count == 0 || mz__has_higher_choice(x, &x->events[a.e]) ||
        !can_be_moved(m, stage, &x->events[a.e]))
        return;
    a.pivot = mz__subject_of_event(m, MZ__OF_PIVOT, a.e);
    if (only_writes_loosely(m, &a.pivot))
        return;
    a.pivot_reads = count_loose_reads(m, &a.pivot);
    if (a.pivot.access_count == 1) {
        mz_location_state state = mz_location_now(x, a.pivot.accesses[0].location);
        uint32_t from = first_candidate(m, &a);
        for (uint32_t r; (r = mz__record_before(x, &state)) != MZ_NONE && x->records[r].event >= from;)
            try_event(m, &a, x->records[r].event);
    } else {
        for (uint32_t position = 0; position < x->length; position++)
            try_event(m, &a, position);
    }
    MZ_FOR_EACH_THREAD(thread, waiting)
    {
        try_waiting(m, &a, thread);
    }
}
