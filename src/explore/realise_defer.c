/* Step 2 of realising: some events are deferred, and nothing else changes.
 *
 * Let S be the events of the set in the order of the execution. Events are deferred along with all that comes
 * after them, so that what stays in the order of S, then what is deferred in the order of S, keeps the order
 * of the observation. There are two ways for the additions to read what they are to.
 *  (1) Writes that stand behind what is to be read are deferred, and the additions come before what is
 *      deferred. All that has to come before them must stay.
 *  (2) What is to be read is deferred, such that it stands behind the other writes. The additions come last.
 * Now let r be to read from w.
 *  - If both stay, or both are deferred, there is nothing between the two that was not there in S.
 *  - If r stays, so does w.
 *  - If r is deferred, and w stays or is the initial value, r is *open*. Something may come between the two
 *    now: a write that stays and stands behind r in S, which is then deferred as well; a deferred write that
 *    stands before w in S, because of which w is deferred, too; or in (1) an addition, with which this fails.
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

/* Is the k-th access of the i-th addition a loose read, and from an event? */
static bool reads_event(const mz_realiser *r, uint32_t i, uint32_t k)
{
    const mz_addition *a = &r->additions[i];
    return mz_is_loose_read(r->observation, a->accesses[k]) && a->writers[k] < r->execution->length;
}

static bool reads_initial(const mz_realiser *r, uint32_t i, uint32_t k)
{
    const mz_addition *a = &r->additions[i];
    return mz_is_loose_read(r->observation, a->accesses[k]) && a->writers[k] == MZ_NONE;
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

/* False if that has no end. */
static bool defer_all(mz_realiser *r)
{
    for (uint32_t rounds = 0; rounds < MOST_ROUNDS; rounds++)
        if (!defer_more(r, first_deferred(r)))
            return true;
    return false;
}

/* ---- the sequence ---------------------------------------------------------------------------------------
 */

static void add_additions(mz_realiser *r)
{
    for (uint32_t i = 0; i < r->addition_count; i++)
        mz__add_to_order(r, (uint32_t)r->execution->length + i);
}

static void write_down(mz_realiser *r, bool additions_last)
{
    const mz_execution *x = r->execution;
    uint32_t from = first_deferred(r);
    mz__keep_places(r, from);
    for (uint32_t position = from; position < x->length; position++)
        if (stays(r, position))
            mz__add_to_order(r, position);
    if (!additions_last)
        add_additions(r);
    for (uint32_t position = from; position < x->length; position++)
        if (!stays(r, position) && mz__is_in_set(r, position))
            mz__add_to_order(r, position);
    if (additions_last)
        add_additions(r);
}

/* ---- (1) ------------------------------------------------------------------------------------------------
 */

/* Is an addition in the way of an open read? */
static bool are_in_the_way(mz_realiser *r)
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

/* The writes of the set that stand behind the writer. */
static void defer_writes_behind(mz_realiser *r, uint32_t location, uint32_t writer)
{
    const mz_execution *x = r->execution;
    for (uint32_t i = mz_location_now(x, location).last_write; i != MZ_NONE && x->records[i].event != writer;
         i = x->records[i].previous_write)
        if (stays(r, x->records[i].event))
            defer(r, x->records[i].event);
}

static bool defer_what_overwrites(mz_realiser *r)
{
    uint32_t needed[MZ_MAX_THREADS] = {0};
    for (uint32_t i = 0; i < r->addition_count; i++)
        need_past(r, needed, &r->additions[i]);
    for (uint32_t i = 0; i < r->addition_count; i++)
        for (uint32_t k = 0; k < r->additions[i].access_count; k++)
            if (reads_event(r, i, k) || reads_initial(r, i, k))
                defer_writes_behind(r, r->additions[i].accesses[k].location, r->additions[i].writers[k]);
    if (mz_clock_is_behind(r->staying, needed, r->observation->width) || !defer_all(r) ||
        mz_clock_is_behind(r->staying, needed, r->observation->width) || are_in_the_way(r))
        return false;
    write_down(r, false);
    return true;
}

/* ---- (2) ------------------------------------------------------------------------------------------------
 */

/* Is what is to be read the last write of the location, in the new order? */
static bool is_written_last(const mz_realiser *r, uint32_t location, uint32_t writer)
{
    const mz_execution *x = r->execution;
    uint32_t i = mz_location_now(x, location).last_write;
    while (i != MZ_NONE && (!mz__is_in_set(r, x->records[i].event) || stays(r, x->records[i].event)))
        i = x->records[i].previous_write;
    return i != MZ_NONE && x->records[i].event == writer;
}

static bool defer_what_is_read(mz_realiser *r)
{
    for (uint32_t i = 0; i < r->addition_count; i++)
        for (uint32_t k = 0; k < r->additions[i].access_count; k++)
            if (reads_initial(r, i, k))
                return false;
            else if (reads_event(r, i, k) && stays(r, r->additions[i].writers[k]))
                defer(r, r->additions[i].writers[k]);
    if (!defer_all(r))
        return false;
    for (uint32_t i = 0; i < r->addition_count; i++)
        for (uint32_t k = 0; k < r->additions[i].access_count; k++)
            if (reads_event(r, i, k) &&
                !is_written_last(r, r->additions[i].accesses[k].location, r->additions[i].writers[k]))
                return false;
    write_down(r, true);
    return true;
}

/* ---- all ------------------------------------------------------------------------------------------------
 */

static void begin(mz_realiser *r)
{
    memcpy(r->staying, r->set, r->observation->width * sizeof *r->staying);
}

MZ_VECTOR bool mz__defer_some(mz_realiser *r)
{
    size_t known = r->crossing_capacity;
    r->crossings = mz_grow(r->crossings, &r->crossing_capacity, r->observation->location_count + 1,
                           sizeof *r->crossings);
    memset(r->crossings + known, 0, (r->crossing_capacity - known) * sizeof *r->crossings);
    if (reads_another(r))
        return false;
    begin(r);
    if (defer_what_overwrites(r))
        return true;
    begin(r);
    return defer_what_is_read(r);
}
