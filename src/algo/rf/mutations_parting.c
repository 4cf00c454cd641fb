/* Reading from another write without the realiser: E is parted at some place. From there on, what is in the
 * past of the reading comes first, and the rest, which is not, behind it, both in the order of E. In between,
 * the reading is put where it reads from the candidate.
 *
 * That is right if every other event reads as before. What is in the past of the reading does: what that
 * reads from is in it, too, and nothing stands between the two that did not before. The rest is looked at.
 * Conflicts on strict locations are part of the order, and stay.
 *
 * Two places are tried. Most often the reading fits before the first write that overwrites the candidate. If
 * that, or a later one, is in its past, the candidate itself may be deferred until after all of this past. */
#include "algo/rf/mutations_internal.h"

typedef struct parting {
    mz_mutations *m;
    const mz_execution *x;
    const uint32_t *past;
    uint32_t position; /* of the reading */
    uint32_t from;
    size_t end;     /* of its past, in m->order */
    uint32_t moved; /* the candidate, if it is deferred */
} parting;

static bool writes(const mz_execution *x, uint32_t position, uint32_t location)
{
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        mz_access access = x->records[event->first_access + i].access;
        if (access.location == location && (access.kind & MZ_WRITE))
            return true;
    }
    return false;
}

static inline bool is_in_past(const parting *p, uint32_t position)
{
    return mz__is_in(p->past, &p->x->events[position]);
}

static void part_at(parting *p, uint32_t from, uint32_t moved)
{
    p->end = p->from = from;
    p->moved = moved;
    for (uint32_t position = from; position < p->position; position++)
        if (is_in_past(p, position))
            p->m->order[p->end++] = position;
}

/* Of what comes first: does anything write the location that stands here or later in E? */
static bool past_writes(const parting *p, uint32_t location, uint32_t position)
{
    const uint32_t *order = p->m->order;
    for (size_t at = p->end; at > p->from && order[at - 1] >= position; at--)
        if (writes(p->x, order[at - 1], location))
            return true;
    return false;
}

/* Does the rest before this position write to the location? */
static bool rest_writes(const parting *p, uint32_t location, uint32_t position)
{
    for (uint32_t at = p->from; at < position; at++)
        if (!is_in_past(p, at) && writes(p->x, at, location))
            return true;
    return false;
}

/* What an event of the rest reads from this one: if that is of the rest, too, what comes first is before
 * both. Otherwise it may be overwritten by what comes first and was behind the event, by what is deferred,
 * and if it comes first itself by what of the rest was before it. */
static bool still_reads(const parting *p, uint32_t position, uint32_t location, uint32_t writer)
{
    bool is_old = writer == MZ_NONE || writer < p->from;
    if (!is_old && !is_in_past(p, writer))
        return true;
    return !past_writes(p, location, position + 1) && (is_old || !rest_writes(p, location, writer)) &&
           (p->moved == MZ_NONE || p->moved == position || !writes(p->x, p->moved, location));
}

static bool reads_as_before(const parting *p, uint32_t position)
{
    const mz_event *event = &p->x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const mz_access_record *record = &p->x->records[event->first_access + i];
        if (mz_is_loose_read(&p->m->observation, record->access) &&
            !still_reads(p, position, record->access.location, mz__event_of(p->x, record->previous_write)))
            return false;
    }
    return true;
}

/* The rest, but for what is deferred, behind `at` items. False if it does not read as before. */
static bool add_rest(const parting *p, size_t at)
{
    for (uint32_t position = p->from; position < p->position; position++) {
        if (is_in_past(p, position))
            continue;
        if (!reads_as_before(p, position))
            return false;
        if (position != p->moved)
            p->m->order[at++] = position;
    }
    return true;
}

static bool fits_before(parting *p, uint32_t overwriting, uint32_t location)
{
    part_at(p, overwriting, MZ_NONE);
    if (past_writes(p, location, p->from))
        return false;
    p->m->order[p->end] = (uint32_t)p->x->length;
    return add_rest(p, p->end + 1);
}

static bool fits_behind(parting *p, uint32_t candidate)
{
    if (candidate == MZ_NONE || is_in_past(p, candidate))
        return false;
    part_at(p, candidate, candidate);
    p->m->order[p->end] = candidate;
    p->m->order[p->end + 1] = (uint32_t)p->x->length;
    return add_rest(p, p->end + 2);
}

bool mz__part_for_reading(mz_mutations *m, uint32_t position, uint32_t candidate, size_t *unmoved)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    const mz_access_record *record = &x->records[event->first_access];
    if (record->access.kind != MZ_READ || event->conditional || event->cause_count > 0)
        return false;
    m->order = mz_grow(m->order, &m->order_capacity, (size_t)position + 1, sizeof *m->order);
    parting p = {.m = m, .x = x, .past = mz__observed(m, event->previous), .position = position};
    uint32_t overwriting = MZ_NONE;
    for (uint32_t r = record->previous_write; mz__event_of(x, r) != candidate;
         r = x->records[r].previous_write)
        overwriting = x->records[r].event;
    bool fits = fits_before(&p, overwriting, record->access.location) || fits_behind(&p, candidate);
    *unmoved = p.from;
    return fits;
}
