/* A backward mutation where x or the pivot moves: what it touches depends on what it reads, so that what
 * comes before it in T cannot be told from E. The notation is that of algo/rf/rf.c.
 *
 * T is given by H, the events of E that are kept, and the ways in which x happens after them, and then the
 * pivot. For E to be its parent, H holds at least the state before the stage, what comes before e, what comes
 * before x' other than through e, and all bends in later stages but x'; and neither e nor x'. The search
 * begins with the least such set. For each set all ways of x and of the pivot are walked through, with what
 * they read from in the set, and E is tested to be the parent of each. Then the set is enlarged, in every
 * direction that may matter: by an event, with its past, that writes what x or the pivot were about to read,
 * or conflicts with them on a strict location.
 *
 * Each H is met. Let H' be a set on the way, less than H. As all of H comes before x or the pivot in T, one
 * of the two reads from, or strictly conflicts with, an event that is in H but not in H'. Take the first such
 * access, of x if it is one of x: what the operation has read until there is read from H' (and x), in a
 * sequence that T's has left of it without the events that are not in H', which is one as H' is closed; so
 * the walk comes by this access, too, and the event is one to enlarge H' by. What results is still in H. */
#include <string.h>

#include "algo/rf/mutations_internal.h"
#include "base/memory.h"

typedef struct moving {
    mz_mutations *m;
    mz__attempt *a;
    const uint32_t *set;
    mz__subject pivot;                   /* as it was in E */
    size_t first_of_pivot, end_of_pivot; /* what it may touch, in `touched` */
    mz__set_of_events past_of_x;         /* in the way in which it happens */
    bool x_is_last;                      /* of the detour */
} moving;

/* ---- what comes before an operation ---------------------------------------------------------------------
 */

static bool conflicts_strictly(const mz_mutations *m, const mz__subject *o, const mz_access *accesses,
                               uint32_t count)
{
    for (uint32_t i = 0; i < o->access_count; i++)
        if (!mz_is_loose(&m->observation, o->accesses[i].location) &&
            mz_accesses_conflict(&o->accesses[i], 1, accesses, count))
            return true;
    return false;
}

static bool event_conflicts_strictly(const mz_mutations *m, const mz__subject *o, const mz_event *event)
{
    const mz_execution *x = mz__execution_of(m);
    for (uint32_t i = 0; i < event->access_count; i++)
        if (conflicts_strictly(m, o, &x->records[event->first_access + i].access, 1))
            return true;
    return false;
}

/* The operation happens after the events of the set. */
static void find_past(const mz_mutations *m, const mz__subject *o, const uint32_t *set, uint32_t *past)
{
    const mz_execution *x = mz__execution_of(m);
    mz__join_past(m, o, past, mz__observed);
    for (uint32_t i = 0; i < o->access_count; i++)
        if (mz__reads_loosely(m, o, i) && o->writers[i] != MZ_NONE && o->writers[i] != MZ_FIRST_ADDITION)
            mz__join(m, past, mz__observed(m, o->writers[i]));
    for (uint32_t position = 0; position < x->length; position++)
        if (mz__is_in(set, &x->events[position]) && !mz__is_in(past, &x->events[position]) &&
            event_conflicts_strictly(m, o, &x->events[position]))
            mz__join(m, past, mz__observed(m, position));
}

static bool pivot_comes_after_x(const mz_mutations *m, const mz__attempt *a)
{
    for (uint32_t i = 0; i < a->pivot.access_count; i++)
        if (mz__reads_loosely(m, &a->pivot, i) && a->pivot.writers[i] == MZ_FIRST_ADDITION)
            return true;
    return conflicts_strictly(m, &a->pivot, a->x.accesses, a->x.access_count);
}

/* ---- is E the parent? -----------------------------------------------------------------------------------
 */

/* Does another event of the set come after the thread's last one? */
static bool is_hidden(const mz_mutations *m, const uint32_t *set, uint32_t thread)
{
    const mz_execution *x = mz__execution_of(m);
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (t != thread && set[t] > 0 && mz__observed(m, mz_position_of(x, t, set[t]))[thread] >= set[thread])
            return true;
    return false;
}

/* Is x the event of the highest thread among the maximal ones of the detour? */
static bool is_last(const mz_mutations *m, const mz__attempt *a, const uint32_t *set, const uint32_t *past)
{
    for (uint32_t t = a->x.thread + 1; t < mz__execution_of(m)->thread_capacity; t++)
        if (set[t] > a->state[t] && past[t] < set[t] && !is_hidden(m, set, t))
            return false;
    return true;
}

/* Do x and all that is kept come before the pivot, or, if it is made to wait, before x? */
static bool is_detour(const moving *v, bool pivot_waits)
{
    const mz_mutations *m = v->m;
    const mz__attempt *a = v->a;
    mz__set_of_events past = {0};
    if (!pivot_waits) {
        if (!pivot_comes_after_x(m, a))
            return false;
        find_past(m, &a->pivot, v->set, past);
    }
    for (uint32_t t = 0; t < mz__execution_of(m)->thread_capacity; t++)
        if (v->set[t] > a->state[t] && v->past_of_x[t] < v->set[t] && past[t] < v->set[t])
            return false;
    return pivot_waits || v->x_is_last;
}

static void finish(const moving *v, bool pivot_waits)
{
    mz_mutations *m = v->m;
    mz__attempt *a = v->a;
    mz__set_of_events beginning;
    const mz__subject *subjects[] = {&a->x, &a->pivot};
    mz__beginning_of(m, a, v->set, beginning);
    m->search->statistics.race_checks++;
    if (pivot_waits && v->pivot.moves) {
        m->observation.impossible |= mz__waits_as_assumed(m, a, v->set);
        return;
    }
    if (is_detour(v, pivot_waits) && mz__waits_as_assumed(m, a, v->set) &&
        mz__rest_is_default(m, a, v->set, beginning) && mz__realise_subjects(m, v->set, subjects, 2))
        mz__adopt_attempt(m, a, v->set, MZ_WHATEVER);
}

/* ---- ways -----------------------------------------------------------------------------------------------
 */

static void note_touched(mz__ways *w, const mz_operation *pending)
{
    mz_mutations *m = w->m;
    for (uint32_t i = 0; i < pending->access_count; i++) {
        m->touched = mz_grow(m->touched, &m->touched_capacity, m->touched_count + 1, sizeof *m->touched);
        m->touched[m->touched_count++] = pending->accesses[i];
    }
}

static bool try_pivot(mz__ways *w)
{
    const moving *v = w->context;
    v->a->pivot = w->operation;
    finish(v, !w->is_ready);
    return false;
}

static void walk_pivot(const moving *v)
{
    mz__walk_ways(&(mz__ways){.m = v->m,
                              .slot = MZ__OF_PIVOT,
                              .operation = v->pivot,
                              .set = v->set,
                              .before = &v->a->x,
                              .see = note_touched,
                              .is_enough = try_pivot,
                              .context = (void *)v});
}

/* What the pivot may touch in the set. Until it reads from x, or conflicts with it otherwise, it does what it
 * could do without: so it comes after x only if they conflict in that. */
static void note_pivot(const moving *v)
{
    const mz__subject *p = &v->pivot;
    mz__ways ways = {.m = v->m, .slot = MZ__OF_PIVOT, .operation = *p, .set = v->set, .see = note_touched};
    if (p->moves)
        mz__walk_ways(&ways);
    else
        note_touched(&ways, &(mz_operation){.access_count = p->access_count, .accesses = p->accesses});
}

static bool pivot_may_come_after_x(const moving *v)
{
    const mz__subject *x = &v->a->x;
    return mz_accesses_conflict(v->m->touched + v->first_of_pivot,
                                (uint32_t)(v->end_of_pivot - v->first_of_pivot), x->accesses,
                                x->access_count);
}

static bool try_x(mz__ways *w)
{
    moving *v = w->context;
    v->a->x = w->operation;
    if (!w->is_ready || !pivot_may_come_after_x(v))
        return false;
    memset(v->past_of_x, 0, sizeof v->past_of_x);
    find_past(v->m, &v->a->x, v->set, v->past_of_x);
    v->x_is_last = is_last(v->m, v->a, v->set, v->past_of_x);
    walk_pivot(v);
    return false;
}

/* ---- sets -----------------------------------------------------------------------------------------------
 */

/* Neither x nor e, nor what comes after them. */
static bool can_be_kept(const mz__attempt *a, const uint32_t *set)
{
    return set[a->pivot.thread] < a->pivot.index && set[a->x.thread] < a->x.index;
}

static bool was_tried(mz_mutations *m, const uint32_t *set)
{
    size_t width = mz__width_of(m);
    for (size_t at = 0; at < m->tried_count; at += width)
        if (memcmp(m->tried + at, set, width * sizeof *set) == 0)
            return true;
    m->tried = mz_grow(m->tried, &m->tried_capacity, m->tried_count + width, sizeof *m->tried);
    memcpy(m->tried + m->tried_count, set, width * sizeof *set);
    m->tried_count += width;
    return false;
}

/* May it matter to an operation that has touched what is listed from `first` on whether the event comes
 * before it? */
static bool may_matter(const mz_mutations *m, const mz_event *event, size_t first, size_t end)
{
    const mz_execution *x = mz__execution_of(m);
    for (uint32_t i = 0; i < event->access_count; i++) {
        mz_access access = x->records[event->first_access + i].access;
        bool loose = mz_is_loose(&m->observation, access.location);
        for (size_t t = first; t < end; t++)
            if (loose ? m->touched[t].location == access.location && (access.kind & MZ_WRITE) &&
                            (m->touched[t].kind & MZ_READ)
                      : mz_accesses_conflict(&access, 1, &m->touched[t], 1))
                return true;
    }
    return false;
}

static void try_set(mz_mutations *m, mz__attempt *a, const mz__subject *pivot, const uint32_t *set)
{
    const mz_execution *x = mz__execution_of(m);
    if (m->observation.impossible || was_tried(m, set))
        return;
    size_t first = m->touched_count;
    moving v = {.m = m, .a = a, .set = set, .pivot = *pivot, .first_of_pivot = first};
    note_pivot(&v);
    v.end_of_pivot = m->touched_count;
    mz__walk_ways(&(mz__ways){.m = m,
                              .slot = MZ__OF_X,
                              .operation = a->x,
                              .set = set,
                              .see = note_touched,
                              .is_enough = try_x,
                              .context = &v});
    size_t end = m->touched_count;
    for (uint32_t position = 0; position < x->length; position++) {
        const uint32_t *clock = mz__observed(m, position);
        if (mz__is_in(set, &x->events[position]) || !can_be_kept(a, clock) ||
            !may_matter(m, &x->events[position], first, end))
            continue;
        mz__set_of_events more;
        memcpy(more, set, mz__width_of(m) * sizeof *more);
        mz__join(m, more, clock);
        try_set(m, a, pivot, more);
    }
    m->touched_count = first;
}

static void join_writers(const mz_mutations *m, uint32_t position, uint32_t but, uint32_t *set)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const mz_access_record *record = &x->records[event->first_access + i];
        uint32_t writer = record->previous_write;
        if (mz_is_loose_read(&m->observation, record->access) && writer != MZ_NONE &&
            x->records[writer].event != but)
            mz__join(m, set, mz__observed(m, x->records[writer].event));
    }
}

static void join_bends(const mz_mutations *m, const mz__attempt *a, uint32_t *set)
{
    const mz_execution *x = mz__execution_of(m);
    for (uint32_t t = 0; t < x->thread_capacity; t++) {
        bool is_x = a->x_event != MZ_NONE && t == a->x.thread && m->bends[t].index == a->x.index;
        if (m->bends[t].index > set[t] && m->bends[t].stage > a->stage && !is_x)
            mz__join(m, set, mz__observed(m, mz_position_of(x, t, m->bends[t].index)));
    }
}

void mz__try_moving(mz_mutations *m, mz__attempt *a)
{
    mz__set_of_events set;
    memcpy(set, a->state, mz__width_of(m) * sizeof *set);
    mz__join_past(m, &a->x, set, mz__observed);
    mz__join_strict_past(m, a->e, MZ_NONE, set, mz__width_of(m));
    join_writers(m, a->e, MZ_NONE, set);
    if (a->x_event != MZ_NONE) {
        mz__join_strict_past(m, a->x_event, a->e, set, mz__width_of(m));
        join_writers(m, a->x_event, a->e, set);
    }
    join_bends(m, a, set);
    m->tried_count = 0;
    a->x.conditional = a->pivot.conditional = false; /* the machine tells whether they write */
    mz__subject pivot = a->pivot;
    if (can_be_kept(a, set))
        try_set(m, a, &pivot, set);
}
