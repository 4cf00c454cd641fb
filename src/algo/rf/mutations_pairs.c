/* Which pairs of a pivot e and an operation x that is to come before it are looked at: all for which E can be
 * the parent of the result, which mutations_parent.c decides, and as few others as can be told at once.
 *
 * On strict locations, e comes directly before x, or x waits after it.
 *  - Directly: if x comes after e in another way, too, what is kept would hold e. So for each x the last
 * write of its location, if it only reads; if it writes, the reads since, or if there are none, that write.
 *  - Waiting: because of a write e, of which x did not come to know before.
 * On loose locations, e reads and x writes, wherever it stands; e and x do not conflict strictly then, as
 * such pairs have been looked at. A compare-and-swap may write if it reads from another write.
 * If one of the two moves and reads loosely, it may do anything in T: all pairs with such are looked at.
 *
 * Bends in later stages than that of e have to be kept, or be x. If neither x nor e has anything to choose,
 * they are before x, and stand before it. */
#include "algo/rf/mutations_internal.h"

/* ---- strict locations -----------------------------------------------------------------------------------
 */

/* x, which waits for several locations, or for some that move: any pivot may have made it wait. */
static void try_waiting_complexly(mz_mutations *m, const mz__subject *waiting, uint32_t end)
{
    const mz_execution *x = mz__execution_of(m);
    mz__set_of_events past = {0};
    mz__join_past(m, waiting, past, mz__observed);
    for (uint32_t e = 0; e < end; e++) {
        mz__attempt a;
        if (x->events[e].thread == waiting->thread || mz__is_in(past, &x->events[e]) ||
            !mz__begin_attempt(m, e, &a))
            continue;
        a.x = *waiting;
        a.x_event = MZ_NONE;
        mz__try_moving(m, &a);
    }
}

/* Where the first x can stand: if there is nothing to choose, it is, or comes after, an event of the last
 * stage with bends, or a later one. */
static uint32_t first_x(const mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t last_stage = 0, position = 0;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (m->bends[t].index > 0 && m->bends[t].stage > last_stage)
            last_stage = m->bends[t].stage;
    while (mz__has_no_choices(m) && position < x->length && mz_number_of(m->stages[position]) < last_stage)
        position++;
    return position;
}

static void try_strict_pairs(mz_mutations *m)
{
    const mz_execution *x = mz__execution_of(m);
    for (uint32_t position = first_x(m); position < x->length; position++) {
        const mz_event *event = &x->events[position];
        if (!mz_has_higher_choice(x, event))
            mz__try_directly_before(m, position);
        if (!event->blocking || event->access_count == 0)
            continue;
        mz__subject waiting = mz__subject_of_event(m, MZ__OF_X, position);
        if (waiting.moves)
            try_waiting_complexly(m, &waiting, position);
        else
            mz__try_waiting(m, &waiting, x->records[event->first_access].previous_write);
    }
}

static void try_pending(mz_mutations *m, uint32_t thread)
{
    mz_search *s = m->search;
    mz_operation pending;
    mz_cause causes[MZ_MAX_THREADS];
    mz_search_return_to(s, s->execution->length);
    s->machine->class->pending(s->machine, thread, &pending);
    if (pending.access_count == 0)
        return;
    mz__subject waiting = mz__subject_pending(m, MZ__OF_X, &pending, thread);
    mz__copy_causes(&waiting, causes); /* the machine reuses its own */
    if (waiting.moves)
        try_waiting_complexly(m, &waiting, (uint32_t)s->execution->length);
    else
        mz__try_waiting(m, &waiting, mz_location_now(s->execution, pending.accesses[0].location).last_write);
}

/* ---- loose locations ------------------------------------------------------------------------------------
 */

/* Does the event write something that e reads, or may it? */
static bool may_be_read(const mz_mutations *m, uint32_t e, const mz_event *event)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *pivot = &x->events[e];
    bool conditional = mz_may_only_read(event->conditional, event->kind);
    for (uint32_t i = 0; i < pivot->access_count; i++) {
        mz_access own = x->records[pivot->first_access + i].access;
        for (uint32_t j = 0; j < event->access_count && mz_is_loose_read(&m->observation, own); j++) {
            mz_access other = x->records[event->first_access + j].access;
            if (other.location == own.location && ((other.kind & MZ_WRITE) || conditional))
                return true;
        }
    }
    return false;
}

static void try_loosely(mz_mutations *m, mz__attempt *a, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    if (event->thread == x->events[a->e].thread || mz__is_in(a->state, event) ||
        (m->may_move && mz__is_mover(m, position)) || !may_be_read(m, a->e, event) ||
        mz__conflict_before(m, a->e, position, event->access_count) || mz_has_higher_choice(x, event))
        return;
    a->x = mz__subject_of_event(m, MZ__OF_X, position);
    a->x_event = position;
    mz__try_attempt(m, a);
}

/* Every bend in later stages has to be kept, or be x: more than one must not come after e. */
static bool can_be_moved(const mz_mutations *m, uint32_t stage, const mz_event *e)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t after = 0;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        after += m->bends[t].index > 0 && m->bends[t].stage > stage &&
                 mz__observed(m, mz_position_of(x, t, m->bends[t].index))[e->thread] >= e->index;
    return after <= 1;
}

/* No x stands before this position. If there are no bends in later stages, all that is not in the state has
 * been added by default since, in this order. If there are, and x just writes, they come before x or are it.
 */
static uint32_t first_write(const mz_mutations *m, const mz__attempt *a)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t last = MZ_NONE;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (m->bends[t].index > 0 && m->bends[t].stage > a->stage) {
            uint32_t position = mz_position_of(x, t, m->bends[t].index);
            if (mz_stands_before(last, position))
                last = position;
        }
    if (last != MZ_NONE)
        return m->observation.natures[a->pivot.accesses[0].location].written_on_the_way ? 0 : last;
    return a->stage >= m->default_from ? a->e : 0;
}

static void try_loose_pairs(mz_mutations *m, uint32_t e)
{
    const mz_execution *x = mz__execution_of(m);
    mz__attempt a;
    if (!can_be_moved(m, mz_number_of(m->stages[e]), &x->events[e]) || (m->may_move && mz__is_mover(m, e)) ||
        !mz__begin_attempt(m, e, &a))
        return;
    if (a.pivot.access_count == 1) {
        mz_location_state state = mz_location_now(x, a.pivot.accesses[0].location);
        uint32_t from = first_write(m, &a);
        for (uint32_t r; (r = mz_record_before(x, &state)) != MZ_NONE && x->records[r].event >= from;)
            try_loosely(m, &a, x->records[r].event);
    } else {
        for (uint32_t position = 0; position < x->length; position++)
            try_loosely(m, &a, position);
    }
}

/* ---- movers --------------------------------------------------------------------------------------------
 */

static void try_with_mover(mz_mutations *m, mz__attempt *a, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    if (event->thread == a->pivot.thread || mz__is_in(a->state, event) || mz_has_higher_choice(x, event))
        return;
    a->pivot = mz__subject_of_event(m, MZ__OF_PIVOT, a->e);
    a->x = mz__subject_of_event(m, MZ__OF_X, position);
    a->x_event = position;
    mz__try_moving(m, a);
}

/* What does not conflict in E may do so if it reads something else: if e is a mover, every x is looked at,
 * and otherwise those that are movers. */
static void try_mover_pairs(mz_mutations *m, uint32_t e)
{
    const mz_execution *x = mz__execution_of(m);
    mz__attempt a;
    if (!can_be_moved(m, mz_number_of(m->stages[e]), &x->events[e]) || !mz__begin_attempt(m, e, &a))
        return;
    bool all = mz__is_mover(m, e);
    for (size_t i = 0; i < (all ? x->length : m->mover_count); i++)
        try_with_mover(m, &a, all ? (uint32_t)i : m->movers[i]);
}

/* ---- all ------------------------------------------------------------------------------------------------
 */

static void try_all(mz_mutations *m)
{
    try_strict_pairs(m);
    for (size_t i = 0; i < m->observation.reader_count; i++)
        if (mz_is_pivot(m->stages[m->observation.readers[i].position]))
            try_loose_pairs(m, m->observation.readers[i].position);
}

void mz_mutate_pairs(mz_mutations *m)
{
    if (mz__has_no_choices(m) && !m->observation.reads_on_the_way)
        mz__try_last(m);
    else
        try_all(m);
    MZ_FOR_EACH_THREAD(thread, m->waiting)
    {
        try_pending(m, thread);
    }
    for (uint32_t e = 0; m->mover_count > 0 && e < mz__execution_of(m)->length; e++)
        try_mover_pairs(m, e);
}
