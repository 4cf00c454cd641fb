#include "machine/execution.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

static void make_room_for_events(mz_execution *x);

mz_execution *mz_execution_create(const mz_machine *machine, bool track_order)
{
    mz_execution *x = mz_allocate_zeroed(1, sizeof *x);
    x->thread_capacity = machine->thread_capacity;
    x->width = (machine->thread_capacity + MZ_CLOCK_WIDTH - 1) & ~(MZ_CLOCK_WIDTH - 1u);
    x->track_order = track_order;
    x->location_count = machine->location_count;
    x->locations = mz_grow(NULL, &x->location_capacity, x->location_count, sizeof *x->locations);
    x->positions = mz_allocate_zeroed(x->thread_capacity, sizeof *x->positions);
    x->thread_length = mz_allocate_zeroed(x->thread_capacity, sizeof *x->thread_length);
    x->records =
        mz_grow(x->records, &x->record_capacity, 1, sizeof *x->records); /* never NULL: offsets are added */
    x->choices = mz_grow(x->choices, &x->choice_capacity, 1, sizeof *x->choices);
    x->causes = mz_grow(x->causes, &x->cause_capacity, 1, sizeof *x->causes);
    make_room_for_events(x);
    mz_execution_restart(x, &(mz_choices){0});
    return x;
}

void mz_execution_destroy(mz_execution *x)
{
    if (!x)
        return;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        mz_release(x->positions[t]);
    mz_release(x->positions);
    mz_release(x->thread_length);
    mz_release(x->events);
    mz_release(x->clocks);
    mz_release(x->records);
    mz_release(x->locations);
    mz_release(x->races);
    mz_release(x->choices);
    mz_release(x->causes);
    mz_release(x->candidates);
    mz_release(x);
}

static __attribute__((noinline)) void add_choices(mz_execution *x, const mz_choices *choices)
{
    x->choices =
        mz_grow(x->choices, &x->choice_capacity, x->choice_count + choices->count, sizeof *x->choices);
    memcpy(x->choices + x->choice_count, choices->made, choices->count * sizeof *x->choices);
    x->choice_count += (uint32_t)choices->count;
}

void mz_execution_restart(mz_execution *x, const mz_choices *choices)
{
    x->length = x->dynamic_count = 0;
    x->record_count = x->race_total = x->choice_count = x->cause_total = 0;
    for (size_t i = 0; i < x->location_count; i++)
        x->locations[i] = (mz_location_state){MZ_NONE, MZ_NONE};
    memset(x->thread_length, 0, x->thread_capacity * sizeof *x->thread_length);
    if (choices->count > 0)
        add_choices(x, choices);
    x->initial_choices = choices->count;
}

/* ---- adding an event ------------------------------------------------------------------------------------
 */

/* Machines of real programs find locations as they go. */
static void make_room_for_location(mz_execution *x, uint32_t location)
{
    size_t count = x->location_count;
    if (location < count)
        return;
    x->locations = mz_grow(x->locations, &x->location_capacity, (size_t)location + 1, sizeof *x->locations);
    x->location_count = x->location_capacity;
    for (size_t i = count; i < x->location_count; i++)
        x->locations[i] = (mz_location_state){MZ_NONE, MZ_NONE};
}

/* For more events, and for what each of them can have. It races with one event of each thread at most: its
 * races are not ordered among each other. */
static void make_room_for_events(mz_execution *x)
{
    x->events = mz_grow(x->events, &x->event_capacity, x->length + 1, sizeof *x->events);
    for (uint32_t t = 0; t < x->thread_capacity; t++) {
        x->positions[t] = mz_reallocate(x->positions[t], (x->event_capacity + 1) * sizeof **x->positions);
        x->positions[t][0] = MZ_NONE;
    }
    if (!x->track_order)
        return;
    x->clocks = mz_reallocate(x->clocks, (x->event_capacity + 1) * x->width * sizeof *x->clocks);
    memset(x->clocks, 0, x->width * sizeof *x->clocks);
    x->races = mz_reallocate(x->races, x->event_capacity * x->thread_capacity * sizeof *x->races);
}

static void make_room(mz_execution *x, const mz_operation *executed)
{
    if (x->length == x->event_capacity)
        make_room_for_events(x);
    x->records = mz_grow(x->records, &x->record_capacity, x->record_count + executed->access_count,
                         sizeof *x->records);
    for (uint32_t i = 0; i < executed->access_count; i++) {
        make_room_for_location(x, executed->accesses[i].location);
        x->has_classes |= executed->accesses[i].kind >= MZ_CLASS;
    }
}

/* Is there room for an event that accesses one location? */
static inline bool has_room(const mz_execution *x, uint32_t location)
{
    return x->length < x->event_capacity && x->record_count < x->record_capacity &&
           location < x->location_count;
}

static uint32_t cause_position(const mz_execution *x, const mz_cause *cause)
{
    return x->positions[cause->thread][cause->index];
}

static __attribute__((noinline)) void add_causes(mz_execution *x, mz_event *event,
                                                 const mz_operation *executed, uint32_t *clock)
{
    x->causes =
        mz_grow(x->causes, &x->cause_capacity, x->cause_total + executed->cause_count, sizeof *x->causes);
    for (uint32_t i = 0; i < executed->cause_count; i++) {
        uint32_t position = cause_position(x, &executed->causes[i]);
        x->causes[x->cause_total++] = executed->causes[i];
        if (mz_stands_before(event->past, position))
            event->past = position;
        if (x->track_order)
            mz_join_clock(clock, mz_clock(x, position), x->width);
    }
    event->last_dependency = event->past;
}

/* An earlier event that the new one depends on. They come from the latest to the earliest: one that is in the
 * clock already happens before a later one or before the thread's own past, and is no race. */
static inline void meet(mz_execution *x, mz_event *event, uint32_t *clock, uint32_t position)
{
    const mz_event *earlier = &x->events[position];
    x->dependency_checks++;
    if (!MZ_UNLIKELY(clock[earlier->thread] < earlier->index))
        return;
    if (event->race_count++ == 0 && mz_stands_before(event->past, position))
        event->last_dependency = position;
    x->races[x->race_total++] = position;
    mz_join_clock(clock, mz_clock(x, position), x->width);
}

/* The last write and, for a write, the reads since: every other conflicting event happens before one of
 * those. The reads come after the write, and the chain begins with the last one. */
static inline void meet_location(mz_execution *x, mz_event *event, uint32_t *clock,
                                 mz_location_state location, uint32_t kind)
{
    const mz_access_record *records = x->records;
    if (kind & MZ_WRITE)
        for (uint32_t r = location.last_read; r != MZ_NONE; r = records[r].previous_read)
            meet(x, event, clock, records[r].event);
    if (location.last_write != MZ_NONE)
        meet(x, event, clock, records[location.last_write].event);
}

/* Insert into the candidates, kept from the latest to the earliest position, each once. */
static size_t insert_candidate(mz_execution *x, size_t count, uint32_t position)
{
    size_t at = count;
    while (at > 0 && x->candidates[at - 1] < position)
        at--;
    if (at > 0 && x->candidates[at - 1] == position)
        return count;
    x->candidates = mz_grow(x->candidates, &x->candidate_capacity, count + 1, sizeof *x->candidates);
    for (size_t i = count; i > at; i--)
        x->candidates[i] = x->candidates[i - 1];
    x->candidates[at] = position;
    return count + 1;
}

/* Is the record of a write the first one of its group? */
static inline bool begins_group(const mz_execution *x, uint32_t record)
{
    const mz_access_record *r = &x->records[record];
    return r->access.kind < MZ_CLASS || r->previous_read != MZ_NONE || r->previous_write == MZ_NONE ||
           x->records[r->previous_write].access.kind != r->access.kind;
}

/* An access of the thread becomes a member of the group that ends with this record: what the group follows.
 * Nothing, if the thread is in the group already: that comes before its own past. */
static bool find_before_group(const mz_execution *x, uint32_t record, uint32_t thread,
                              mz_location_state *before)
{
    for (;; record = x->records[record].previous_write) {
        const mz_access_record *r = &x->records[record];
        if (x->events[r->event].thread == thread)
            return false;
        *before = (mz_location_state){r->previous_write, r->previous_read};
        if (begins_group(x, record))
            return true;
    }
}

/* Cold path: a group is more than one write only where operations have classes. */
static __attribute__((noinline)) size_t insert_writes(mz_execution *x, size_t count, uint32_t record)
{
    for (uint32_t r = record; r != MZ_NONE; r = x->records[r].previous_write) {
        count = insert_candidate(x, count, x->records[r].event);
        if (begins_group(x, r))
            break;
    }
    return count;
}

/* The last group of the location that the access does not belong to. Where no operation has had a class so
 * far, a write is a group of its own. */
static inline size_t insert_last_group(mz_execution *x, size_t count, mz_location_state location,
                                       uint32_t kind, uint32_t thread)
{
    uint32_t last = location.last_write;
    bool has_classes = x->has_classes;
    if (MZ_UNLIKELY(has_classes) && kind >= MZ_CLASS && location.last_read == MZ_NONE && last != MZ_NONE &&
        x->records[last].access.kind == kind && !find_before_group(x, last, thread, &location))
        return count;
    last = location.last_write;
    if (kind & MZ_WRITE)
        for (uint32_t r = location.last_read; r != MZ_NONE; r = x->records[r].previous_read)
            count = insert_candidate(x, count, x->records[r].event);
    if (last == MZ_NONE)
        return count;
    return MZ_UNLIKELY(has_classes) && x->records[last].access.kind >= MZ_CLASS
               ? insert_writes(x, count, last)
               : insert_candidate(x, count, x->records[last].event);
}

size_t mz_last_conflicts(mz_execution *x, uint32_t thread, mz_access access)
{
    return insert_last_group(x, 0, mz_location_now(x, access.location), access.kind, thread);
}

/* The same for several locations, or classes, whose chains are merged first. */
static void meet_locations(mz_execution *x, mz_event *event, uint32_t *clock)
{
    size_t count = 0;
    for (uint32_t i = 0; i < event->access_count; i++) {
        const mz_access_record *record = &x->records[event->first_access + i];
        mz_location_state before = {record->previous_write, record->previous_read};
        count = insert_last_group(x, count, before, record->access.kind, event->thread);
    }
    for (size_t i = 0; i < count; i++)
        meet(x, event, clock, x->candidates[i]);
}

/* Returns what the location was like before. */
static inline mz_location_state record_access(mz_execution *x, uint32_t position, mz_access access)
{
    mz_location_state *location = &x->locations[access.location], before = *location;
    uint32_t number = x->record_count++;
    mz_access_record *record = &x->records[number];
    record->access = access;
    record->event = position;
    record->previous_write = before.last_write;
    record->previous_read = before.last_read;
    if (access.kind & MZ_WRITE)
        *location = (mz_location_state){number, MZ_NONE};
    else
        location->last_read = number;
    return before;
}

/* The accesses, and what follows from them: the event's clock and races. */
static void add_accesses(mz_execution *x, mz_event *event, uint32_t position, uint32_t *clock,
                         const mz_operation *executed)
{
    for (uint32_t i = 0; i < executed->access_count; i++)
        record_access(x, position, executed->accesses[i]);
    if (x->track_order)
        meet_locations(x, event, clock);
}

/* What kind of operation it was, which both tell in the same words. */
static inline void copy_nature(mz_event *event, const mz_operation *executed)
{
    enum { BYTES = offsetof(mz_event, conditional) + sizeof(bool) - offsetof(mz_event, kind) };
    _Static_assert(offsetof(mz_operation, conditional) - offsetof(mz_operation, kind) ==
                       offsetof(mz_event, conditional) - offsetof(mz_event, kind),
                   "kind … conditional stand in the same order");
    memcpy((char *)event + offsetof(mz_event, kind), (const char *)executed + offsetof(mz_operation, kind),
           BYTES);
}

/* There is room for it. `usual`: it has one access, no causes and no choices. */
MZ_INLINE const mz_event *add_event(mz_execution *x, uint32_t thread, const mz_operation *executed,
                                    const mz_choices *choices, bool usual, bool track_order)
{
    uint32_t position = (uint32_t)x->length, index = ++x->thread_length[thread];
    uint32_t *positions = x->positions[thread], previous = positions[index - 1];
    mz_event *event = &x->events[position];
    x->length = (size_t)position + 1;
    x->dynamic_count += executed->dynamic;
    positions[index] = position;
    event->thread = thread;
    event->index = index;
    event->previous = event->past = event->last_dependency = previous;
    mz_copy_ends(&event->first_access, &x->record_count);
    event->access_count = usual ? 1 : executed->access_count;
    event->race_count = 0;
    event->choice_count = usual ? 0 : (uint32_t)choices->count;
    event->cause_count = usual ? 0 : executed->cause_count;
    copy_nature(event, executed);
    uint32_t *clock = track_order ? x->clocks + (size_t)(position + 1) * x->width : NULL;
    if (track_order)
        mz_copy_clock(clock, mz_clock(x, previous), x->width);
    if (usual) {
        mz_access access = executed->accesses[0];
        mz_location_state before = record_access(x, position, access);
        if (track_order)
            meet_location(x, event, clock, before, access.kind);
    } else {
        if (executed->cause_count > 0)
            add_causes(x, event, executed, clock);
        add_accesses(x, event, position, clock, executed);
        if (choices->count > 0)
            add_choices(x, choices);
    }
    if (track_order)
        clock[thread] = index;
    return event;
}

static __attribute__((noinline)) const mz_event *add_unusual_event(mz_execution *x, uint32_t thread,
                                                                   const mz_operation *executed,
                                                                   const mz_choices *choices)
{
    make_room(x, executed);
    return add_event(x, thread, executed, choices, false, x->track_order);
}

/* The access has a class, or follows one that has. */
static inline bool meets_class(const mz_execution *x, mz_access access)
{
    uint32_t last = MZ_UNLIKELY(x->has_classes) ? x->locations[access.location].last_write : MZ_NONE;
    return access.kind >= MZ_CLASS || (last != MZ_NONE && x->records[last].access.kind >= MZ_CLASS);
}

/* The functions call nothing, unless that is the last thing they do: then no registers need to be saved at
 * every event. */
static inline bool is_usual(const mz_execution *x, const mz_operation *executed, const mz_choices *choices)
{
    return executed->access_count == 1 && executed->cause_count + choices->count == 0 &&
           has_room(x, executed->accesses[0].location) && !meets_class(x, executed->accesses[0]);
}

static __attribute__((noinline)) const mz_event *push_without_order(mz_execution *x, uint32_t thread,
                                                                    const mz_operation *executed,
                                                                    const mz_choices *choices)
{
    return is_usual(x, executed, choices) ? add_event(x, thread, executed, choices, true, false)
                                          : add_unusual_event(x, thread, executed, choices);
}

MZ_VECTOR static const mz_event *push_with_order(mz_execution *x, uint32_t thread,
                                                 const mz_operation *executed, const mz_choices *choices)
{
    return is_usual(x, executed, choices) ? add_event(x, thread, executed, choices, true, true)
                                          : add_unusual_event(x, thread, executed, choices);
}

const mz_event *mz_execution_push(mz_execution *x, uint32_t thread, const mz_operation *executed,
                                  const mz_choices *choices)
{
    return x->track_order ? push_with_order(x, thread, executed, choices)
                          : push_without_order(x, thread, executed, choices);
}

mz_execution *mz_execution_with_order(const mz_execution *x, const mz_machine *machine)
{
    mz_execution *copy = mz_execution_create(machine, true);
    mz_access *accesses = mz_allocate(x->record_count * sizeof *accesses);
    mz_choices choices = {.made = x->choices, .count = x->initial_choices};
    mz_execution_restart(copy, &choices);
    for (size_t i = 0; i < x->record_count; i++)
        accesses[i] = x->records[i].access;
    for (size_t position = 0; position < x->length; position++) {
        const mz_event *event = &x->events[position];
        mz_operation operation = {.kind = event->kind,
                                  .blocking = event->blocking,
                                  .branching = event->branching,
                                  .steering = event->steering,
                                  .dynamic = event->dynamic,
                                  .crowded = event->crowded,
                                  .conditional = event->conditional,
                                  .access_count = event->access_count,
                                  .accesses = accesses + event->first_access,
                                  .cause_count = event->cause_count,
                                  .causes = x->causes + event->first_cause};
        choices.made = x->choices + event->first_choice;
        choices.count = event->choice_count;
        mz_execution_push(copy, event->thread, &operation, &choices);
    }
    mz_release(accesses);
    return copy;
}

bool mz_is_past(const mz_execution *x, uint32_t e, uint32_t previous, const mz_cause *causes,
                uint32_t cause_count)
{
    bool is_past = previous != MZ_NONE && mz_happens_before(x, e, previous);
    for (uint32_t i = 0; i < cause_count && !is_past; i++)
        is_past = mz_happens_before(x, e, cause_position(x, &causes[i]));
    return is_past;
}

uint32_t mz_first_after(const mz_execution *x, uint32_t thread, uint32_t position)
{
    const uint32_t *positions = x->positions[thread] + 1;
    uint32_t low = 0, high = x->thread_length[thread]; /* the answer is positions[low … high] */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (positions[middle] > position)
            high = middle;
        else
            low = middle + 1;
    }
    return low < x->thread_length[thread] ? positions[low] : MZ_NONE;
}

bool mz_event_conflicts(const mz_execution *x, const mz_event *event, const mz_operation *operation)
{
    const mz_access_record *records = x->records + event->first_access;
    for (uint32_t i = 0; i < event->access_count; i++)
        if (mz_accesses_conflict(&records[i].access, 1, operation->accesses, operation->access_count))
            return true;
    return false;
}

bool mz_events_conflict(const mz_execution *x, const mz_event *a, const mz_event *b)
{
    for (uint32_t i = 0; i < a->access_count; i++)
        for (uint32_t j = 0; j < b->access_count; j++)
            if (mz_accesses_conflict(&x->records[a->first_access + i].access, 1,
                                     &x->records[b->first_access + j].access, 1))
                return true;
    return false;
}

bool mz_writes_what_it_reads(const mz_execution *x, const mz_event *e, const mz_event *other)
{
    for (uint32_t i = 0; i < e->access_count; i++) {
        mz_access a = x->records[e->first_access + i].access;
        for (uint32_t j = 0; a.kind & MZ_WRITE && j < other->access_count; j++) {
            mz_access b = x->records[other->first_access + j].access;
            if (a.location == b.location && (b.kind & MZ_READ) && mz_kinds_conflict(a.kind, b.kind))
                return true;
        }
    }
    return false;
}
