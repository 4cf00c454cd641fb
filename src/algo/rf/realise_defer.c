/* Step 2 of realising: some events are deferred, and nothing else changes.
 *
 * Let S be a sequence of the events of the set in which they read what they are to: at first, that of the
 * execution. Events are deferred along with all that comes after them, so that what stays in the order of S,
 * then what is deferred in the order of S, keeps the order of the observation. Let r be to read from w.
 *  - If both stay, or both are deferred, there is nothing between the two that was not there in S.
 *  - If r stays, so does w.
 *  - If r is deferred, and w stays or is the initial value, r is *open*. Something may come between the two
 *    now: a write that stays and stands behind r in S, which is then deferred as well; or a deferred write
 * that stands before w in S, because of which w is deferred, too. So what results is such a sequence again.
 * It is done twice, for the additions to read what they are to: (1) What is to be read is deferred, if there
 * is a write behind it that has to come before the addition. (2) Writes that stand behind what is to be read
 * are deferred, until after the additions. All that has to come before these must stay; and they must not
 * come between what an open read reads and the read. That it fails does not mean that there is no sequence.
 * It is given up, too, if the events have to be looked at again and again. */
#include <string.h>

#include "algo/rf/realise_internal.h"
#include "base/vector.h"

enum { MOST_ROUNDS = 8 };

/* ---- deferring ------------------------------------------------------------------------------------------
 */

/* Where the event stands in S. */
static size_t place_of(const mz_realiser *r, uint32_t position)
{
    return position < r->unmoved ? position : r->places[position];
}

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
               mz_observed(r->observation, x->positions[t][r->staying[t]])[event->thread] >= event->index)
            r->staying[t]--;
}

static mz_crossing *crossing_of(mz_realiser *r, uint32_t location)
{
    mz_crossing *c = &r->crossings[location];
    if (c->round != r->round)
        *c = (mz_crossing){.round = r->round, .write = SIZE_MAX};
    return c;
}

/* A deferred event, of which this is an access to a loose location. Is something before it deferred because
 * of that? */
static bool look_at_deferred(mz_realiser *r, const mz_access_record *record, size_t place)
{
    mz_crossing *c = crossing_of(r, record->access.location);
    if (record->access.kind & MZ_READ) {
        uint32_t before = record->previous_write;
        uint32_t writer = before == MZ_NONE ? MZ_NONE : r->execution->records[before].event;
        bool open = writer == MZ_NONE || stays(r, writer);
        c->has_open_read |= open;
        if (open && writer != MZ_NONE && c->write < place_of(r, writer)) {
            defer(r, writer);
            return true;
        }
    }
    if ((record->access.kind & MZ_WRITE) && place < c->write)
        c->write = place;
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

static size_t first_deferred(const mz_realiser *r)
{
    size_t first = r->order_count;
    for (uint32_t t = 0; t < r->execution->thread_capacity; t++)
        if (r->staying[t] < r->set[t]) {
            size_t place = place_of(r, r->execution->positions[t][r->staying[t] + 1]);
            first = place < first ? place : first;
        }
    return first;
}

/* What else has to be deferred. Do the events have to be looked at again? */
static bool defer_more(mz_realiser *r)
{
    const mz_execution *x = r->execution;
    r->round++;
    for (size_t place = first_deferred(r); place < r->order_count; place++) {
        uint32_t position = r->order[place];
        const mz_event *event = &x->events[position];
        if (stays(r, position)) {
            if (!is_in_the_way(r, event))
                continue;
            defer(r, position);
        }
        for (uint32_t i = 0; i < event->access_count; i++) {
            const mz_access_record *record = &x->records[event->first_access + i];
            if (mz_is_loose(r->observation, record->access.location) && look_at_deferred(r, record, place))
                return true;
        }
    }
    return false;
}

/* False if that has no end. */
static bool defer_all(mz_realiser *r)
{
    for (uint32_t rounds = 0; rounds < MOST_ROUNDS; rounds++)
        if (!defer_more(r))
            return true;
    return false;
}

static void find_places(mz_realiser *r, size_t from)
{
    for (size_t i = from; i < r->order_count; i++)
        r->places[r->order[i]] = (uint32_t)i;
}

/* The new sequence, with so many additions before what is deferred. */
static void write_down(mz_realiser *r, uint32_t additions)
{
    size_t from = first_deferred(r), count = from, deferred = 0;
    r->work = mz_grow(r->work, &r->work_capacity, r->order_count, sizeof *r->work);
    for (size_t i = from; i < r->order_count; i++)
        if (stays(r, r->order[i]))
            r->order[count++] = r->order[i];
        else
            r->work[deferred++] = r->order[i];
    for (uint32_t i = 0; i < additions; i++)
        r->order[count++] = (uint32_t)r->execution->length + i;
    memcpy(r->order + count, r->work, deferred * sizeof *r->order);
    r->order_count = count + deferred;
    if (from < r->unmoved)
        r->unmoved = r->counted = from;
}

/* ---- the additions --------------------------------------------------------------------------------------
 */

static void need(mz_realiser *r, uint32_t position)
{
    mz_join_clock(r->needed, mz_observed(r->observation, position), r->observation->width);
}

/* What conflicts with the access, to a strict location. */
static void need_conflicting(mz_realiser *r, mz_access access)
{
    const mz_execution *x = r->execution;
    mz_location_state state = mz_location_now(x, access.location);
    for (uint32_t i; (i = mz_record_before(x, &state)) != MZ_NONE;) {
        const mz_access_record *record = &x->records[i];
        if (mz__is_in_set(r, record->event) && ((record->access.kind | access.kind) & MZ_WRITE))
            need(r, record->event);
    }
}

/* All that has to come before the additions. */
static void find_needed(mz_realiser *r)
{
    const mz_execution *x = r->execution;
    memset(r->needed, 0, r->observation->width * sizeof *r->needed);
    for (const mz_addition *a = r->additions; a < r->additions + r->addition_count; a++) {
        if (r->set[a->thread] > 0)
            need(r, mz_position_of(x, a->thread, r->set[a->thread]));
        for (uint32_t i = 0; i < a->cause_count; i++)
            if (a->causes[i].index <= r->set[a->causes[i].thread])
                need(r, mz_position_of(x, a->causes[i].thread, a->causes[i].index));
        for (uint32_t i = 0; i < a->access_count; i++)
            if (!mz_is_loose(r->observation, a->accesses[i].location))
                need_conflicting(r, a->accesses[i]);
            else if ((a->accesses[i].kind & MZ_READ) && a->writers[i] < x->length)
                need(r, a->writers[i]);
    }
}

static bool is_needed(const mz_realiser *r, uint32_t position)
{
    const mz_event *event = &r->execution->events[position];
    return event->index <= r->needed[event->thread];
}

/* Is an addition to read something else than the one before it writes? It must not come after that. */
static bool reads_another(const mz_realiser *r)
{
    const mz_addition *a = &r->additions[1];
    for (uint32_t i = 0; r->addition_count > 1 && i < a->access_count; i++)
        if (mz_is_loose_read(r->observation, a->accesses[i]) && a->writers[i] != MZ_FIRST_ADDITION &&
            mz__writes_location(r, (uint32_t)r->execution->length, a->accesses[i].location))
            return true;
    return false;
}

/* (1): the addition is to read from this event, or the initial value, which stands before all others. */
static void defer_what_is_read(mz_realiser *r, uint32_t location, uint32_t writer)
{
    const mz_execution *x = r->execution;
    uint32_t i = writer == MZ_NONE ? MZ_NONE : mz_location_now(x, location).last_write;
    for (; i != MZ_NONE && x->records[i].event != writer; i = x->records[i].previous_write)
        if (is_needed(r, x->records[i].event)) {
            defer(r, writer);
            return;
        }
}

/* (2): the addition is to read from this event, or the initial value. */
static void defer_writes_behind(mz_realiser *r, uint32_t location, uint32_t writer)
{
    const mz_execution *x = r->execution;
    for (uint32_t i = mz_location_now(x, location).last_write; i != MZ_NONE;
         i = x->records[i].previous_write) {
        uint32_t event = x->records[i].event;
        if (mz__is_in_set(r, event) && stays(r, event) &&
            (writer == MZ_NONE || place_of(r, event) > place_of(r, writer)))
            defer(r, event);
    }
}

/* For each loose read of the additions that is not from an addition. */
static void for_each_read(mz_realiser *r, void (*function)(mz_realiser *, uint32_t location, uint32_t writer))
{
    for (const mz_addition *a = r->additions; a < r->additions + r->addition_count; a++)
        for (uint32_t i = 0; i < a->access_count; i++)
            if (mz_is_loose_read(r->observation, a->accesses[i]) && a->writers[i] != MZ_FIRST_ADDITION)
                function(r, a->accesses[i].location, a->writers[i]);
}

/* Does an addition write what an open read reads? */
static bool are_in_the_way(mz_realiser *r)
{
    for (const mz_addition *a = r->additions; a < r->additions + r->addition_count; a++)
        for (uint32_t i = 0; i < a->access_count; i++)
            if ((a->accesses[i].kind & MZ_WRITE) && mz_is_loose(r->observation, a->accesses[i].location) &&
                crossing_of(r, a->accesses[i].location)->has_open_read)
                return true;
    return false;
}

/* ---- all ------------------------------------------------------------------------------------------------
 */

static void begin(mz_realiser *r)
{
    size_t known = r->crossing_capacity;
    r->crossings = mz_grow(r->crossings, &r->crossing_capacity, r->observation->location_count + 1,
                           sizeof *r->crossings);
    memset(r->crossings + known, 0, (r->crossing_capacity - known) * sizeof *r->crossings);
    r->places = mz_grow(r->places, &r->place_capacity, r->execution->length, sizeof *r->places);
    mz__take_set(r);
    find_places(r, r->unmoved);
    find_needed(r);
}

static void let_all_stay(mz_realiser *r)
{
    memset(r->staying, 0, r->observation->width * sizeof *r->staying);
    memcpy(r->staying, r->set, r->execution->thread_capacity * sizeof *r->staying);
}

static bool needed_stays(const mz_realiser *r)
{
    return !mz_clock_is_behind(r->staying, r->needed, r->observation->width);
}

MZ_VECTOR bool mz__defer_some(mz_realiser *r)
{
    if (reads_another(r))
        return false;
    begin(r);
    let_all_stay(r);
    for_each_read(r, defer_what_is_read);
    if (first_deferred(r) < r->order_count) {
        if (!defer_all(r))
            return false;
        size_t from = first_deferred(r);
        write_down(r, 0);
        find_places(r, from);
        let_all_stay(r);
    }
    for_each_read(r, defer_writes_behind);
    if (!needed_stays(r) || !defer_all(r) || !needed_stays(r) || are_in_the_way(r))
        return false;
    write_down(r, r->addition_count);
    return true;
}
