#include "core/execution.h"

#include <string.h>

#include "base/memory.h"

mz_execution *mz_execution_create(const mz_machine *machine, bool track_order)
{
    mz_execution *x = mz_allocate_zeroed(1, sizeof *x);
    x->thread_capacity = machine->thread_capacity;
    x->width = (machine->thread_capacity + 3) & ~3u;
    x->track_order = track_order;
    x->location_count = machine->location_count;
    x->locations = mz_grow(NULL, &x->location_capacity, x->location_count, sizeof *x->locations);
    x->positions = mz_allocate_zeroed(x->thread_capacity, sizeof *x->positions);
    x->position_capacity = mz_allocate_zeroed(x->thread_capacity, sizeof *x->position_capacity);
    x->thread_length = mz_allocate_zeroed(x->thread_capacity, sizeof *x->thread_length);
    x->zero_clock = mz_allocate_zeroed(x->width, sizeof *x->zero_clock);
    x->records =
        mz_grow(x->records, &x->record_capacity, 1, sizeof *x->records); /* never NULL: offsets are added */
    x->choices = mz_grow(x->choices, &x->choice_capacity, 1, sizeof *x->choices);
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
    mz_release(x->position_capacity);
    mz_release(x->thread_length);
    mz_release(x->events);
    mz_release(x->clocks);
    mz_release(x->zero_clock);
    mz_release(x->records);
    mz_release(x->locations);
    mz_release(x->races);
    mz_release(x->choices);
    mz_release(x->causes);
    mz_release(x->candidates);
    mz_release(x);
}

static void add_choices(mz_execution *x, const mz_choices *choices)
{
    if (choices->count == 0)
        return;
    x->choices =
        mz_grow(x->choices, &x->choice_capacity, x->choice_count + choices->count, sizeof *x->choices);
    memcpy(x->choices + x->choice_count, choices->made, choices->count * sizeof *x->choices);
    x->choice_count += choices->count;
}

void mz_execution_restart(mz_execution *x, const mz_choices *choices)
{
    x->length = x->record_count = x->race_total = x->choice_count = x->dynamic_count = x->cause_total = 0;
    for (size_t i = 0; i < x->location_count; i++)
        x->locations[i] = (mz_location_state){MZ_NONE, MZ_NONE};
    memset(x->thread_length, 0, x->thread_capacity * sizeof *x->thread_length);
    add_choices(x, choices);
    x->initial_choices = choices->count;
}

/* Insert into the candidates, kept from the latest to the earliest position, each once. The chains come
 * in that order already, so the place is near the end. */
static inline size_t insert_candidate(mz_execution *x, size_t count, uint32_t position)
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

/* Machines of real programs find locations as they go. */
static mz_location_state *location_state(mz_execution *x, uint32_t location)
{
    if (location >= x->location_count) {
        size_t count = x->location_count;
        x->locations =
            mz_grow(x->locations, &x->location_capacity, (size_t)location + 1, sizeof *x->locations);
        x->location_count = x->location_capacity;
        for (size_t i = count; i < x->location_count; i++)
            x->locations[i] = (mz_location_state){MZ_NONE, MZ_NONE};
    }
    return &x->locations[location];
}

/* Record the accesses and collect the events they depend on directly. */
static size_t record_accesses(mz_execution *x, uint32_t position, const mz_operation *executed)
{
    size_t found = 0;
    x->records = mz_grow(x->records, &x->record_capacity, x->record_count + executed->access_count,
                         sizeof *x->records);
    for (uint32_t i = 0; i < executed->access_count; i++) {
        mz_access access = executed->accesses[i];
        mz_location_state *location = location_state(x, access.location);
        if (x->track_order && location->last_write != MZ_NONE)
            found = insert_candidate(x, found, x->records[location->last_write].event);
        if (x->track_order && (access.kind & MZ_WRITE))
            for (uint32_t r = location->last_read; r != MZ_NONE; r = x->records[r].previous_read)
                found = insert_candidate(x, found, x->records[r].event);
        uint32_t record = (uint32_t)x->record_count++;
        x->records[record] = (mz_access_record){access, position, location->last_write, location->last_read};
        if (access.kind & MZ_WRITE)
            *location = (mz_location_state){record, MZ_NONE};
        else
            location->last_read = record;
    }
    return found;
}

/* Four components of a clock at a time, on any machine gcc and clang know. Signed, because comparing signed
 * numbers is one instruction even on the oldest x86-64. */
typedef int32_t four __attribute__((vector_size(16), aligned(4), may_alias));

static inline void join_clocks(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t width)
{
    for (uint32_t t = 0; t < width; t += 4) {
        four left = *(const four *)(a + t), right = *(const four *)(b + t), greater = left > right;
        *(four *)(out + t) = (left & greater) | (right & ~greater);
    }
}

static uint32_t cause_position(const mz_execution *x, const mz_cause *cause)
{
    return x->positions[cause->thread][cause->index - 1];
}

static void add_causes(mz_execution *x, mz_event *event, const mz_operation *executed)
{
    x->causes =
        mz_grow(x->causes, &x->cause_capacity, x->cause_total + executed->cause_count, sizeof *x->causes);
    for (uint32_t i = 0; i < executed->cause_count; i++) {
        uint32_t position = cause_position(x, &executed->causes[i]);
        x->causes[x->cause_total++] = executed->causes[i];
        if (mz_stands_before(event->past, position))
            event->past = position;
    }
}

/* The event's clock and races. Going through the candidates from the latest to the earliest, one that is
 * in the clock already happens before a later candidate or before the thread's own past: no race. */
static void order_event(mz_execution *x, mz_event *event, uint32_t position, size_t candidate_count)
{
    uint32_t width = x->width;
    x->clocks = mz_grow(x->clocks, &x->clock_capacity, ((size_t)position + 1) * width, sizeof *x->clocks);
    x->races = mz_grow(x->races, &x->race_capacity, x->race_total + candidate_count, sizeof *x->races);
    uint32_t *clock = x->clocks + (size_t)position * width;
    const uint32_t *past = event->previous == MZ_NONE ? x->zero_clock : mz_clock(x, event->previous);
    for (uint32_t i = 0; i < event->cause_count; i++) {
        join_clocks(clock, past, mz_clock(x, cause_position(x, &x->causes[event->first_cause + i])), width);
        past = clock;
    }
    event->last_dependency = event->past;
    x->dependency_checks += candidate_count;
    for (size_t i = 0; i < candidate_count; i++) {
        uint32_t candidate = x->candidates[i];
        const mz_event *earlier = &x->events[candidate];
        if (past[earlier->thread] >= earlier->index)
            continue;
        if (event->race_count++ == 0 && mz_stands_before(event->last_dependency, candidate))
            event->last_dependency = candidate;
        x->races[x->race_total++] = candidate;
        join_clocks(clock, past, mz_clock(x, candidate), width);
        past = clock;
    }
    if (past != clock)
        join_clocks(clock, past, past, width);
    clock[event->thread] = event->index;
}

const mz_event *mz_execution_push(mz_execution *x, uint32_t thread, const mz_operation *executed,
                                  const mz_choices *choices)
{
    x->events = mz_grow(x->events, &x->event_capacity, x->length + 1, sizeof *x->events);
    uint32_t position = (uint32_t)x->length;
    mz_event *event = &x->events[position];
    uint32_t index = x->thread_length[thread] + 1;
    *event = (mz_event){
        .thread = thread,
        .index = index,
        .previous = index > 1 ? x->positions[thread][index - 2] : MZ_NONE,
        .first_access = (uint32_t)x->record_count,
        .access_count = executed->access_count,
        .first_race = (uint32_t)x->race_total,
        .first_choice = (uint32_t)x->choice_count,
        .choice_count = (uint32_t)choices->count,
        .first_cause = (uint32_t)x->cause_total,
        .cause_count = executed->cause_count,
        .kind = executed->kind,
        .blocking = executed->blocking,
        .branching = executed->branching,
        .steering = executed->steering,
        .dynamic = executed->dynamic,
        .conditional = executed->conditional,
    };
    event->past = event->previous;
    if (executed->cause_count > 0)
        add_causes(x, event, executed);
    size_t candidate_count = record_accesses(x, position, executed);
    if (x->track_order)
        order_event(x, event, position, candidate_count);
    add_choices(x, choices);
    x->positions[thread] =
        mz_grow(x->positions[thread], &x->position_capacity[thread], index, sizeof **x->positions);
    x->positions[thread][index - 1] = position;
    x->thread_length[thread] = index;
    x->dynamic_count += executed->dynamic;
    x->length++;
    return event;
}

void mz_execution_pop(mz_execution *x)
{
    const mz_event *event = &x->events[--x->length];
    while (x->record_count > event->first_access) {
        const mz_access_record *record = &x->records[--x->record_count];
        x->locations[record->access.location] =
            (mz_location_state){record->previous_write, record->previous_read};
    }
    x->dynamic_count -= event->dynamic;
    x->race_total = event->first_race;
    x->choice_count = event->first_choice;
    x->cause_total = event->first_cause;
    x->thread_length[event->thread]--;
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
    const uint32_t *positions = x->positions[thread];
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
            if (a.location == b.location && (b.kind & MZ_READ))
                return true;
        }
    }
    return false;
}
