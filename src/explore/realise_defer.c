/* Step 2 of realising: what has to come after the additions is deferred, and nothing else changes.
 *
 * Let S be the events of the set in the order of the execution. Events are deferred along with all that comes
 * after them; those that stay hold all that has to come before the additions, or this fails. What stays in
 * the order of S, then the additions, then what is deferred in the order of S, keeps the order of the
 * observation. Deferred are first of all writes that stand behind what an addition is to read from, such that
 * it does. Now let r be to read from w.
 *  - If both stay, or both are deferred, there is nothing between the two that was not there in S.
 *  - If r stays, so does w.
 *  - If r is deferred, and w stays or is the initial value, r is *open*. Something may come between the two
 *    now: a write that stays and stands behind r in S, which is then deferred as well; a deferred write that
 *    stands before w in S, because of which w is deferred, too; or an addition, with which this fails.
 * That it fails does not mean that there is no sequence. It is given up, too, if the events have to be looked
 * at again and again. */
#include <string.h>

#include "base/vector.h"
#include "explore/realise_internal.h"

enum { MOST_ROUNDS = 8 };

static bool stays(const mz_realiser *r, uint32_t position)
{
    const mz_event *event = &r->execution->events[position];
    return event->index <= r->staying[event->thread];
}

/* With all that comes after it. */
static void defer(mz_realiser *r, uint32_t position)
{
    const mz_execution *x = r->execution;
    const mz_event *event = &x->events[position];
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        while (r->staying[t] > 0 &&
               mz_observed(r->observation, x->positions[t][r->staying[t] - 1])[event->thread] >= event->index)
            r->staying[t]--;
}

/* The writes of the set that stand behind the writer; there are none behind an addition. */
static void defer_writes_behind(mz_realiser *r, uint32_t location, uint32_t writer)
{
    const mz_execution *x = r->execution;
    if (writer == MZ_FIRST_ADDITION)
        return;
    for (uint32_t i = mz_location_now(x, location).last_write; i != MZ_NONE && x->records[i].event != writer;
         i = x->records[i].previous_write)
        if (stays(r, x->records[i].event))
            defer(r, x->records[i].event);
}

/* ---- what has to come before the additions --------------------------------------------------------------
 */

static void need(mz_realiser *r, uint32_t *needed, uint32_t position)
{
    mz_join_clock(needed, mz_observed(r->observation, position), r->observation->width);
}

/* What conflicts with the access, to a strict location. */
static void need_conflicting(mz_realiser *r, uint32_t *needed, mz_access access)
{
    const mz_execution *x = r->execution;
    mz_location_state state = mz_location_now(x, access.location);
    for (uint32_t i; (i = mz_record_before(x, &state)) != MZ_NONE;) {
        const mz_access_record *record = &x->records[i];
        if (mz__is_in_set(r, record->event) && ((record->access.kind | access.kind) & MZ_WRITE))
            need(r, needed, record->event);
    }
}

static void need_past(mz_realiser *r, uint32_t *needed, const mz_addition *a)
{
    const mz_execution *x = r->execution;
    if (r->set[a->thread] > 0)
        need(r, needed, mz_position_of(x, a->thread, r->set[a->thread]));
    for (uint32_t i = 0; i < a->cause_count; i++)
        if (a->causes[i].index <= r->set[a->causes[i].thread])
            need(r, needed, mz_position_of(x, a->causes[i].thread, a->causes[i].index));
    for (uint32_t i = 0; i < a->access_count; i++)
        if (!mz_is_loose(r->observation, a->accesses[i].location))
            need_conflicting(r, needed, a->accesses[i]);
        else if ((a->accesses[i].kind & MZ_READ) && a->writers[i] < x->length)
            need(r, needed, a->writers[i]);
}

/* ---- what else has to be deferred -----------------------------------------------------------------------
 */

static mz_crossing *crossing_of(mz_realiser *r, uint32_t location)
{
    mz_crossing *c = &r->crossings[location];
    if (c->round != r->round)
        *c = (mz_crossing){.round = r->round, .write = MZ_NONE};
    return c;
}

/* A deferred event, of which this is an access to a loose location. Is something before it deferred because
 * of that? */
static bool look_at_deferred(mz_realiser *r, const mz_access_record *record)
{
    mz_crossing *c = crossing_of(r, record->access.location);
    if (record->access.kind & MZ_READ) {
        uint32_t before = record->previous_write;
        uint32_t writer = before == MZ_NONE ? MZ_NONE : r->execution->records[before].event;
        bool open = writer == MZ_NONE || stays(r, writer);
        c->has_open_read |= open;
        if (open && writer != MZ_NONE && c->write < writer) {
            defer(r, writer);
            return true;
        }
    }
    if ((record->access.kind & MZ_WRITE) && c->write == MZ_NONE)
        c->write = record->event;
    return false;
}

/* Does the event, which stays so far, write what an open read before it reads? */
static bool is_in_the_way(mz_realiser *r, const mz_event *event)
{
    const mz_access_record *records = r->execution->records + event->first_access;
    for (uint32_t i = 0; i < event->access_count; i++)
        if ((records[i].access.kind & MZ_WRITE) && mz_is_loose(r->observation, records[i].access.location) &&
            crossing_of(r, records[i].access.location)->has_open_read)
            return true;
    return false;
}

/* Look at the events from this one on. Do they have to be looked at again? */
static bool defer_more(mz_realiser *r, uint32_t from)
{
    const mz_execution *x = r->execution;
    r->round++;
    for (uint32_t position = from; position < x->length; position++) {
        const mz_event *event = &x->events[position];
        if (event->index > r->set[event->thread])
            continue;
        if (event->index <= r->staying[event->thread]) {
            if (!is_in_the_way(r, event))
                continue;
            defer(r, position);
        }
        for (uint32_t i = 0; i < event->access_count; i++) {
            const mz_access_record *record = &x->records[event->first_access + i];
            if (mz_is_loose(r->observation, record->access.location) && look_at_deferred(r, record))
                return true;
        }
    }
    return false;
}

static bool are_additions_in_the_way(mz_realiser *r)
{
    for (uint32_t i = 0; i < r->addition_count; i++)
        for (uint32_t k = 0; k < r->additions[i].access_count; k++) {
            mz_access access = r->additions[i].accesses[k];
            if ((access.kind & MZ_WRITE) && mz_is_loose(r->observation, access.location) &&
                crossing_of(r, access.location)->has_open_read)
                return true;
        }
    return false;
}

/* An addition that is not to read from the one before it must not come after its write. */
static bool reads_another(const mz_realiser *r)
{
    const mz_addition *a = &r->additions[1];
    for (uint32_t i = 0; r->addition_count > 1 && i < a->access_count; i++)
        if (mz_is_loose_read(r->observation, a->accesses[i]) && a->writers[i] != MZ_FIRST_ADDITION &&
            mz__writes_location(r, (uint32_t)r->execution->length, a->accesses[i].location))
            return true;
    return false;
}

/* ---- the sequence ---------------------------------------------------------------------------------------
 */

/* The position of the first event that does not stay. */
static uint32_t first_deferred(const mz_realiser *r)
{
    const mz_execution *x = r->execution;
    uint32_t first = (uint32_t)x->length;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (r->staying[t] < x->thread_length[t] && x->positions[t][r->staying[t]] < first)
            first = x->positions[t][r->staying[t]];
    return first;
}

static void write_down(mz_realiser *r)
{
    const mz_execution *x = r->execution;
    uint32_t from = first_deferred(r);
    mz__keep_places(r, from);
    for (uint32_t position = from; position < x->length; position++)
        if (stays(r, position))
            mz__add_to_order(r, position);
    for (uint32_t i = 0; i < r->addition_count; i++)
        mz__add_to_order(r, (uint32_t)x->length + i);
    for (uint32_t position = from; position < x->length; position++)
        if (!stays(r, position) && mz__is_in_set(r, position))
            mz__add_to_order(r, position);
}

static void begin(mz_realiser *r, uint32_t *needed)
{
    size_t known = r->crossing_capacity, width = r->observation->width;
    r->crossings = mz_grow(r->crossings, &r->crossing_capacity, r->observation->location_count + 1,
                           sizeof *r->crossings);
    memset(r->crossings + known, 0, (r->crossing_capacity - known) * sizeof *r->crossings);
    memcpy(r->staying, r->set, width * sizeof *r->staying);
    for (uint32_t i = 0; i < r->addition_count; i++) {
        const mz_addition *a = &r->additions[i];
        need_past(r, needed, a);
        for (uint32_t k = 0; k < a->access_count; k++)
            if (mz_is_loose_read(r->observation, a->accesses[k]))
                defer_writes_behind(r, a->accesses[k].location, a->writers[k]);
    }
}

MZ_VECTOR bool mz__defer_others(mz_realiser *r)
{
    uint32_t needed[MZ_MAX_THREADS] = {0}, rounds = 0;
    if (reads_another(r))
        return false;
    begin(r, needed);
    bool more = true;
    while (more && !mz_clock_is_behind(r->staying, needed, r->observation->width) && rounds++ < MOST_ROUNDS)
        more = defer_more(r, first_deferred(r));
    if (more || mz_clock_is_behind(r->staying, needed, r->observation->width) || are_additions_in_the_way(r))
        return false;
    write_down(r);
    return true;
}
