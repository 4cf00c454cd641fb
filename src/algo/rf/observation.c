#include "algo/rf/observation.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

void mz_observation_release(mz_observation *o)
{
    mz_release(o->clocks);
    mz_release(o->natures);
    mz_release(o->covers);
    mz_release(o->readers);
    mz_release(o->meetings);
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
    uint32_t a = mz_threads_first(users), b = mz_threads_first(mz_threads_rest(users));
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
    o->reads_on_the_way = false;
    for (size_t i = 0; i < o->location_count; i++) {
        mz_location_nature *n = &o->natures[i];
        n->loose = n->exchangeable && may_be_loose(o, n) &&
                   (!o->only_trees || keeps_trees(parents, edges, n->users));
        o->reads_on_the_way |= n->loose && n->written_on_the_way;
    }
}

void mz_observation_restart(mz_observation *o, const mz_execution *x)
{
    o->width = x->width;
    o->length = o->reader_count = o->meeting_count = 0;
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

void mz_observation_write(const mz_observation *o, mz_bytes *out)
{
    mz_bytes_add_number(out, o->most_accesses);
    mz_bytes_add_number(out, o->location_count);
    for (size_t i = 0; i < o->location_count; i++) {
        const mz_location_nature *n = &o->natures[i];
        mz_bytes_add_number(out, (n->ordered ? 1u : 0u) | (n->exchangeable ? 2u : 0u) |
                                     (n->written_on_the_way ? 4u : 0u));
        mz_bytes_add(out, &n->users, sizeof n->users);
    }
}

bool mz_observation_read(mz_observation *o, mz_byte_reader *r)
{
    o->most_accesses = (uint32_t)mz_read_number_to(r, UINT32_MAX);
    size_t count = mz_read_count(r);
    for (size_t i = 0; i < count && !r->failed; i++) {
        mz_location_nature *n = nature_of(o, (uint32_t)i);
        uint64_t flags = mz_read_number_to(r, 7);
        *n = (mz_location_nature){
            .ordered = flags & 1, .exchangeable = flags & 2, .written_on_the_way = flags & 4};
        mz_read_bytes(r, &n->users, sizeof n->users);
    }
    return !r->failed;
}

/* ---- clocks ---------------------------------------------------------------------------------------------
 */

MZ_INLINE void join_event(mz_observation *o, uint32_t *clock, uint32_t position, uint32_t width)
{
    mz_join_clock(clock, o->clocks + (size_t)(position + 1) * width, width);
}

MZ_INLINE void join_record(mz_observation *o, const mz_execution *x, uint32_t *clock, uint32_t record,
                           uint32_t width)
{
    if (record == MZ_NONE)
        return;
    o->dependency_checks++;
    join_event(o, clock, x->records[record].event, width);
}

MZ_INLINE void join_reads(mz_observation *o, const mz_execution *x, uint32_t *clock, uint32_t last_read,
                          uint32_t width)
{
    for (uint32_t r = last_read; r != MZ_NONE; r = x->records[r].previous_read)
        join_record(o, x, clock, r, width);
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
        join_record(o, x, clock, record->previous_write, o->width);
    if (strict && (record->access.kind & MZ_WRITE))
        join_reads(o, x, clock, record->previous_read, o->width);
}

/* A write that does not read, of a strict location. */
static void join_write(mz_observation *o, const mz_execution *x, const mz_access_record *record,
                       uint32_t *clock)
{
    mz_location_nature *n = &o->natures[record->access.location];
    if (record->previous_write != MZ_NONE && !is_before(x, clock, record->previous_write))
        note_exchangeable(o, n);
    join_record(o, x, clock, record->previous_write, o->width);
    join_reads(o, x, clock, record->previous_read, o->width);
}

static void note_access(mz_observation *o, const mz_event *event, mz_access access)
{
    mz_location_nature *n = nature_of(o, access.location);
    note_user(o, n, event->thread);
    n->written_on_the_way |=
        mz_may_only_read(event->conditional, event->kind) ||
        ((access.kind & MZ_WRITE) && (event->access_count > 1 || access.kind != MZ_WRITE || event->dynamic));
    o->reads_on_the_way |= n->loose && n->written_on_the_way;
    if (event->blocking || (access.kind & MZ_LAST))
        note_needed_order(o, access.location);
}

static void join_causes(mz_observation *o, const mz_execution *x, const mz_event *event, uint32_t *clock)
{
    for (uint32_t i = 0; i < event->cause_count; i++) {
        mz_cause cause = x->causes[event->first_cause + i];
        join_event(o, clock, mz_position_of(x, cause.thread, cause.index), o->width);
    }
}

static void join_accesses(mz_observation *o, const mz_execution *x, const mz_event *event, uint32_t *clock)
{
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
}

MZ_INLINE uint32_t *begin_clock(mz_observation *o, const mz_event *event, uint32_t position, uint32_t width)
{
    uint32_t *clock = o->clocks + (size_t)(position + 1) * width;
    mz_copy_clock(clock, o->clocks + (size_t)(event->previous + 1) * width, width);
    return clock;
}

/* Every event is one reader at most, and meets each thread at most once. */
static __attribute__((noinline)) void make_room(mz_observation *o, const mz_execution *x)
{
    size_t new = x->length - o->length;
    o->clocks = mz_grow(o->clocks, &o->clock_capacity, (x->length + 1) * o->width, sizeof *o->clocks);
    memset(o->clocks, 0, o->width * sizeof *o->clocks);
    o->covers = mz_grow(o->covers, &o->cover_capacity, x->length, sizeof *o->covers);
    o->readers = mz_grow(o->readers, &o->reader_capacity, o->reader_count + new, sizeof *o->readers);
    o->meetings = mz_grow(o->meetings, &o->meeting_capacity, o->meeting_count + new * x->thread_capacity,
                          sizeof *o->meetings);
}

MZ_INLINE bool has_room(const mz_observation *o, const mz_execution *x)
{
    size_t new = x->length - o->length;
    return (x->length + 1) * o->width <= o->clock_capacity && x->length <= o->cover_capacity &&
           o->reader_count + new <= o->reader_capacity &&
           o->meeting_count + new * x->thread_capacity <= o->meeting_capacity;
}

MZ_INLINE void add_reader(mz_observation *o, uint32_t position, uint32_t location)
{
    o->readers[o->reader_count++] = (mz_reader){position, location};
}

MZ_INLINE void add_meeting(mz_observation *o, uint32_t position, uint32_t before)
{
    o->meetings[o->meeting_count++] = (mz_meeting){position, before};
}

static __attribute__((noinline)) void add_unusual_event(mz_observation *o, const mz_execution *x,
                                                        uint32_t position)
{
    const mz_event *event = &x->events[position];
    if (event->access_count > o->most_accesses)
        o->most_accesses = event->access_count;
    uint32_t *clock = begin_clock(o, event, position, o->width);
    join_causes(o, x, event, clock);
    join_accesses(o, x, event, clock);
    clock[event->thread] = event->index;
    const mz_access_record *record = x->records + event->first_access, *end = record + event->access_count;
    while (record < end && !mz_is_loose_read(o, record->access))
        record++;
    if (record < end)
        add_reader(o, position, record->access.location);
    add_meeting(o, position, MZ_NONE);
    o->covers[position] = false; /* as far as is known */
}

/* What most events are added with, in registers: nothing that is written meanwhile can change it. */
typedef struct follower {
    mz_observation *o;
    const mz_event *events;
    const mz_access_record *records;
    const mz_location_nature *natures;
    uint32_t *clocks;
} follower;

MZ_INLINE follower follow(mz_observation *o, const mz_execution *x)
{
    return (follower){o, x->events, x->records, o->natures, o->clocks};
}

/* Does it just read, or just write, one location that its thread is known to use? */
MZ_INLINE bool is_plain(follower f, const mz_event *event, const mz_access_record *record)
{
    if (event->access_count != 1 || event->cause_count > 0 || event->blocking || event->dynamic)
        return false;
    mz_access access = record->access;
    return (access.kind == MZ_READ || access.kind == MZ_WRITE) && access.location < f.o->location_count &&
           mz_threads_has(f.natures[access.location].users, event->thread);
}

MZ_INLINE bool is_in_clock(follower f, const uint32_t *clock, uint32_t position)
{
    const mz_event *event = &f.events[position];
    return clock[event->thread] >= event->index;
}

/* It directly comes after an earlier one. */
MZ_INLINE void meet(follower f, const mz_event *event, uint32_t *clock, uint32_t before, uint32_t width,
                    bool note)
{
    if (note)
        add_meeting(f.o, (uint32_t)(event - f.events), before);
    mz_join_clock(clock, f.clocks + (size_t)(before + 1) * width, width);
}

/* The reads of a strict location that a write follows come from the latest to the earliest: one that is in
 * the clock already comes before a later one, or is of the thread's own past. So does all that is left once
 * every other thread that uses the location has been seen. Returns how many were looked at. */
MZ_INLINE uint64_t meet_reads(follower f, const mz_event *event, uint32_t *clock, uint32_t last_read,
                              uint32_t width, mz_threads users)
{
    uint64_t count = 0;
    mz_threads others = users & ~mz_threads_of(event->thread);
    for (uint32_t r = last_read; r != MZ_NONE && mz_threads_any(others);
         r = f.records[r].previous_read, count++) {
        others &= ~mz_threads_of(f.events[f.records[r].event].thread);
        if (!is_in_clock(f, clock, f.records[r].event))
            meet(f, event, clock, f.records[r].event, width, true);
    }
    return count;
}

/* False if it is none of those that most events are. */
MZ_INLINE bool add_usual_event(follower f, const mz_event *event, uint32_t *clock, uint32_t width,
                               uint64_t *dependency_checks)
{
    const mz_access_record *record = &f.records[event->first_access];
    if (MZ_UNLIKELY(!is_plain(f, event, record)))
        return false;
    mz_access access = record->access;
    const mz_location_nature *n = &f.natures[access.location];
    const uint32_t *own = f.clocks + (size_t)(event->previous + 1) * width;
    bool follows_write = record->previous_write != MZ_NONE, writes = access.kind == MZ_WRITE;
    uint32_t write = follows_write ? f.records[record->previous_write].event : MZ_NONE;
    bool is_known = !follows_write || is_in_clock(f, own, write);
    if (MZ_UNLIKELY(writes && !is_known && !n->exchangeable && !n->ordered))
        return false; /* it shows that writes can be exchanged */
    mz_begin_clock(clock, own, width, event->thread, event->index);
    if (writes && n->loose) {
        uint32_t position = (uint32_t)(event - f.events);
        f.o->covers[position] = !follows_write || (is_known && f.o->covers[write]);
        add_meeting(f.o, position, MZ_NONE);
    } else {
        if (writes)
            *dependency_checks += meet_reads(f, event, clock, record->previous_read, width, n->users);
        else if (n->loose)
            add_reader(f.o, (uint32_t)(event - f.events), access.location);
        *dependency_checks += follows_write;
        /* what has read from the write since, and comes before this one, has brought it along */
        if (!is_known && !(writes && record->previous_read != MZ_NONE))
            meet(f, event, clock, write, width, !n->loose);
    }
    return true;
}

MZ_INLINE void add_events(mz_observation *o, const mz_execution *x, uint32_t width)
{
    follower f = follow(o, x);
    const mz_event *event = f.events + o->length, *end = f.events + x->length;
    uint32_t *clock = f.clocks + (o->length + 1) * width;
    uint64_t dependency_checks = 0;
    for (; event < end; event++, clock += width)
        if (MZ_UNLIKELY(!add_usual_event(f, event, clock, width, &dependency_checks))) {
            add_unusual_event(o, x, (uint32_t)(event - f.events));
            f = follow(o, x);
        }
    o->dependency_checks += dependency_checks;
}

MZ_VECTOR void mz_observation_follow(mz_observation *o, const mz_execution *x)
{
    mz_observation_shorten(o, x->length);
    if (MZ_UNLIKELY(!has_room(o, x)))
        make_room(o, x);
    if (o->width == MZ_CLOCK_WIDTH) /* most often: it is a constant then */
        add_events(o, x, MZ_CLOCK_WIDTH);
    else
        add_events(o, x, o->width);
    o->length = x->length;
}

void mz_observation_shorten(mz_observation *o, size_t length)
{
    if (o->length <= length)
        return;
    o->length = length;
    while (o->reader_count > 0 && o->readers[o->reader_count - 1].position >= length)
        o->reader_count--;
    while (o->meeting_count > 0 && o->meetings[o->meeting_count - 1].position >= length)
        o->meeting_count--;
}
