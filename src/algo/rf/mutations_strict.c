/* One x and one pivot e that meet on a strict location: the attempt to exchange them. Which x are looked at:
 * mutations_pairs.c, and mutations_last.c where there is little to choose. */
#include "algo/rf/mutations_internal.h"

bool mz__begin_attempt(mz_mutations *m, uint32_t e, mz__attempt *a)
{
    const mz_execution *x = mz__execution_of(m);
    if (!mz_is_pivot(m->stages[e]) || mz_has_higher_choice(x, &x->events[e]))
        return false;
    a->stage = mz_number_of(m->stages[e]);
    a->e = e;
    mz__find_state_before(m, e, a->state);
    a->pivot = mz__subject_of_event(m, MZ__OF_PIVOT, e);
    return true;
}

static bool may_write(const mz_execution *x, const mz_event *event, uint32_t location)
{
    bool conditional = mz_may_only_read(event->conditional, event->kind);
    for (uint32_t i = 0; i < event->access_count; i++) {
        mz_access access = x->records[event->first_access + i].access;
        if (access.location == location && ((access.kind & MZ_WRITE) || conditional))
            return true;
    }
    return false;
}

/* Of x and e, one that moves but is no mover reads the same in E and T, and so touches the same, unless the
 * other one writes what it reads: what is kept and conflicts with it stands before it in both. */
static bool may_change(const mz_mutations *m, uint32_t position, uint32_t other)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; mz__moves(event) && i < event->access_count; i++) {
        mz_access access = x->records[event->first_access + i].access;
        if ((access.kind & MZ_READ) && may_write(x, &x->events[other], access.location))
            return true;
    }
    return false;
}

bool mz__has_bends_behind(const mz_mutations *m, uint32_t stage, uint32_t position)
{
    const uint32_t *clock = mz__observed(m, position);
    for (uint32_t t = 0; t < mz__execution_of(m)->thread_capacity; t++)
        if (m->bends[t].index > clock[t] && m->bends[t].stage > stage)
            return false;
    return true;
}

/* Do they conflict in one of the first accesses of the event at `position`? Then they have been met there. */
bool mz__conflict_before(const mz_mutations *m, uint32_t e, uint32_t position, uint32_t accesses)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[e];
    for (uint32_t i = 0; i < accesses; i++) {
        mz_access access = x->records[x->events[position].first_access + i].access;
        for (uint32_t j = 0; j < event->access_count && !mz_is_loose(&m->observation, access.location); j++)
            if (mz_accesses_conflict(&access, 1, &x->records[event->first_access + j].access, 1))
                return true;
    }
    return false;
}

/* Does e come before the event whatever it accesses? Then it would be kept. */
static bool is_past(const mz_mutations *m, uint32_t e, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[e];
    uint32_t previous = x->events[position].previous;
    return previous != MZ_NONE && mz__observed(m, previous)[event->thread] >= event->index;
}

/* x directly comes after e because of its i-th access. */
static void try_direct(mz_mutations *m, uint32_t position, uint32_t i, uint32_t record)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    uint32_t e = x->records[record].event;
    if (!mz_is_pivot(m->stages[e]) || event->thread == x->events[e].thread || is_past(m, e, position) ||
        (mz__has_no_choices(m) && !mz__has_bends_behind(m, mz_number_of(m->stages[e]), position)) ||
        mz__conflict_before(m, e, position, i) ||
        (m->may_move && (mz__is_mover(m, e) || mz__is_mover(m, position))))
        return;
    mz__attempt a;
    if (!mz__begin_attempt(m, e, &a))
        return;
    a.x = mz__subject_of_event(m, MZ__OF_X, position);
    a.x_event = position;
    if (m->may_move && (may_change(m, e, position) || may_change(m, position, e)))
        mz__try_moving(m, &a);
    else
        mz__try_attempt(m, &a);
}

void mz__try_directly_before(mz_mutations *m, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const mz_access_record *record = &x->records[event->first_access + i];
        bool writes = record->access.kind & MZ_WRITE;
        if (mz_is_loose(&m->observation, record->access.location))
            continue;
        for (uint32_t r = record->previous_read; writes && r != MZ_NONE; r = x->records[r].previous_read)
            try_direct(m, position, i, r);
        if (record->previous_write != MZ_NONE && !(writes && record->previous_read != MZ_NONE))
            try_direct(m, position, i, record->previous_write);
    }
}

void mz__try_waiting(mz_mutations *m, const mz__subject *waiting, uint32_t last_write)
{
    const mz_execution *x = mz__execution_of(m);
    mz__set_of_events past = {0};
    mz__join_past(m, waiting, past, mz__observed);
    for (uint32_t r = last_write; r != MZ_NONE && !mz__is_in(past, &x->events[x->records[r].event]);
         r = x->records[r].previous_write) {
        mz__attempt a;
        if (!mz__begin_attempt(m, x->records[r].event, &a))
            continue;
        a.x = *waiting;
        a.x_event = MZ_NONE;
        if (a.pivot.moves)
            mz__try_moving(m, &a);
        else
            mz__try_attempt(m, &a);
    }
}
