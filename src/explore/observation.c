#include "explore/observation.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

void mz_observation_release(mz_observation *o)
{
    mz_release(o->clocks);
    mz_release(o->natures);
}

static mz_location_nature *nature_of(mz_observation *o, uint32_t location)
{
    size_t known = o->location_count;
    if (location >= known) {
        o->natures = mz_grow(o->natures, &o->location_capacity, (size_t)location + 1, sizeof *o->natures);
        o->location_count = o->location_capacity;
        memset(o->natures + known, 0, (o->location_count - known) * sizeof *o->natures);
    }
    return &o->natures[location];
}

/* ---- which locations are loose --------------------------------------------------------------------------
 */

static uint32_t root_of(const uint32_t *parents, uint32_t thread)
{
    while (parents[thread] != thread)
        thread = parents[thread];
    return thread;
}

/* The graph of threads that share loose locations stays a forest if this one is loose, too. */
static bool joins_forest(uint32_t *parents, bool (*edges)[MZ_MAX_THREADS], mz_threads users)
{
    uint32_t a = mz_threads_first(users), b = mz_threads_first(users & (users - 1));
    if (edges[a][b])
        return true;
    uint32_t root = root_of(parents, a), other = root_of(parents, b);
    if (root == other)
        return false;
    parents[root] = other;
    edges[a][b] = true;
    return true;
}

static bool keeps_trees(uint32_t *parents, bool (*edges)[MZ_MAX_THREADS], mz_threads users)
{
    return mz_threads_count(users) <= 2 &&
           (mz_threads_count(users) < 2 || joins_forest(parents, edges, users));
}

static bool matters_at_end(const mz_observation *o, const mz_location_nature *n)
{
    const mz_machine *machine = o->looked_at;
    return machine && machine->class->matters_at_end(machine, (uint32_t)(n - o->natures));
}

static bool may_be_loose(const mz_observation *o, const mz_location_nature *n)
{
    return !n->ordered && !matters_at_end(o, n);
}

static void decide(mz_observation *o)
{
    uint32_t parents[MZ_MAX_THREADS];
    bool edges[MZ_MAX_THREADS][MZ_MAX_THREADS];
    memset(edges, 0, sizeof edges);
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++)
        parents[t] = t;
    for (size_t i = 0; i < o->location_count; i++) {
        mz_location_nature *n = &o->natures[i];
        n->loose = n->exchangeable && may_be_loose(o, n) &&
                   (!o->only_trees || keeps_trees(parents, edges, n->users));
    }
}

void mz_observation_restart(mz_observation *o, const mz_execution *x)
{
    o->width = x->width;
    o->length = 0;
    o->learned = false;
    decide(o);
}

bool mz_has_loose(const mz_observation *o)
{
    for (size_t i = 0; i < o->location_count; i++)
        if (o->natures[i].loose)
            return true;
    return false;
}

static void note_exchangeable(mz_observation *o, mz_location_nature *n)
{
    if (n->exchangeable)
        return;
    n->exchangeable = true;
    o->learned |= may_be_loose(o, n);
}

static void note_user(mz_observation *o, mz_location_nature *n, uint32_t thread)
{
    if (mz_threads_has(n->users, thread))
        return;
    n->users |= mz_threads_of(thread);
    o->learned |= o->only_trees && n->loose;
}

static void note_needed_order(mz_observation *o, uint32_t location)
{
    mz_location_nature *n = nature_of(o, location);
    n->ordered = true;
    o->learned |= n->loose;
}

void mz_observation_note_waiting(mz_observation *o, const mz_operation *operation)
{
    for (uint32_t i = 0; operation->blocking && i < operation->access_count; i++)
        note_needed_order(o, operation->accesses[i].location);
}

/* ---- clocks ---------------------------------------------------------------------------------------------
 */

static void join_event(mz_observation *o, uint32_t *clock, uint32_t position)
{
    mz_join_clock(clock, mz_observed(o, position), o->width);
}

static void join_record(mz_observation *o, const mz_execution *x, uint32_t *clock, uint32_t record)
{
    if (record != MZ_NONE)
        join_event(o, clock, x->records[record].event);
}

static bool is_before(const mz_execution *x, const uint32_t *clock, uint32_t record)
{
    const mz_event *event = &x->events[x->records[record].event];
    return clock[event->thread] >= event->index;
}

/* What comes before the access whether or not writes that do not read can be exchanged. */
static void join_certain(mz_observation *o, const mz_execution *x, const mz_access_record *record,
                         uint32_t *clock)
{
    const mz_location_nature *n = &o->natures[record->access.location];
    bool strict = n->ordered || (!n->loose && (record->access.kind & MZ_READ));
    if (strict || (record->access.kind & MZ_READ))
        join_record(o, x, clock, record->previous_write);
    if (strict && (record->access.kind & MZ_WRITE))
        for (uint32_t r = record->previous_read; r != MZ_NONE; r = x->records[r].previous_read)
            join_record(o, x, clock, r);
}

/* A write that does not read, of a strict location. */
static void join_write(mz_observation *o, const mz_execution *x, const mz_access_record *record,
                       uint32_t *clock)
{
    mz_location_nature *n = &o->natures[record->access.location];
    if (record->previous_write != MZ_NONE && !is_before(x, clock, record->previous_write))
        note_exchangeable(o, n);
    join_record(o, x, clock, record->previous_write);
    for (uint32_t r = record->previous_read; r != MZ_NONE; r = x->records[r].previous_read)
        join_record(o, x, clock, r);
}

static void note_access(mz_observation *o, const mz_event *event, mz_access access)
{
    mz_location_nature *n = nature_of(o, access.location);
    note_user(o, n, event->thread);
    n->written_on_the_way |=
        (access.kind & MZ_WRITE) && (event->access_count > 1 || access.kind != MZ_WRITE || event->dynamic);
    if (event->blocking || (access.kind & MZ_LAST))
        note_needed_order(o, access.location);
}

static void add_event(mz_observation *o, const mz_execution *x, uint32_t position)
{
    const mz_event *event = &x->events[position];
    uint32_t *clock = o->clocks + (size_t)position * o->width;
    if (event->previous == MZ_NONE)
        memset(clock, 0, o->width * sizeof *clock);
    else
        mz_copy_clock(clock, mz_observed(o, event->previous), o->width);
    for (uint32_t i = 0; i < event->cause_count; i++) {
        mz_cause cause = x->causes[event->first_cause + i];
        join_event(o, clock, mz_position_of(x, cause.thread, cause.index));
    }
    const mz_access_record *records = x->records + event->first_access;
    for (uint32_t i = 0; i < event->access_count; i++) {
        note_access(o, event, records[i].access);
        join_certain(o, x, &records[i], clock);
    }
    for (uint32_t i = 0; i < event->access_count; i++) {
        const mz_location_nature *n = &o->natures[records[i].access.location];
        if (records[i].access.kind == MZ_WRITE && !n->ordered && !n->loose)
            join_write(o, x, &records[i], clock);
    }
    clock[event->thread] = event->index;
}

MZ_VECTOR void mz_observation_follow(mz_observation *o, const mz_execution *x)
{
    if (o->length > x->length)
        o->length = x->length;
    if (x->length * o->width > o->clock_capacity)
        o->clocks = mz_grow(o->clocks, &o->clock_capacity, x->length * o->width, sizeof *o->clocks);
    for (; o->length < x->length; o->length++)
        add_event(o, x, (uint32_t)o->length);
}
