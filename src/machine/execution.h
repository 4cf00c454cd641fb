/* An execution: the sequence of events since the initial state, with happens-before as vector clocks.
 *
 * Event e happens before event f if e = f, or some chain of events e, …, f in sequence order has
 * neighbours that are of one thread or conflict, or the first is a cause of the second (machine.h).
 * clock(f)[t] = how many events of thread t happen before or equal f; since they are the first ones of t, the
 * clocks say it all.
 *
 * Adding an event visits, per access, the last write (and, for a write, the reads since) of the location:
 * every other conflicting event happens before one of those. The visit yields the event's clock and its
 * *races*: the events that happen before it directly, with nothing in between.
 *
 * With classes (machine.h) the accesses of a location are a sequence of *groups*: a write alone, the reads
 * between two writes, writes of one class one after the other. All accesses of a group conflict with all of
 * the next one. So what comes first directly is the last group that a new access is not to be a member of. */
#ifndef MZ_MACHINE_EXECUTION_H
#define MZ_MACHINE_EXECUTION_H

#include "machine/choices.h"
#include "machine/machine.h"

#define MZ_NONE UINT32_MAX

typedef struct mz_event {
    uint32_t thread;
    uint32_t index;    /* 1 for the thread's first event */
    uint32_t previous; /* position of the thread's previous event or MZ_NONE */
    uint32_t past;     /* position of the latest of that one and the causes, or MZ_NONE */
    /* What it has: the first one and how many. No races where the execution does not track the order. */
    uint32_t first_access, first_race, first_choice, first_cause;
    uint32_t access_count, race_count, choice_count, cause_count;
    /* Position of the last event that happens before it, MZ_NONE if there is none. (That event is one of
     * the same thread or a race: what else happens before it stands further back.) */
    uint32_t last_dependency;
    mz_operation_kind kind;
    bool blocking, branching, steering, dynamic, crowded, conditional;
} mz_event;

/* One access of one event. The chain of earlier accesses to the same location hangs off it. */
typedef struct mz_access_record {
    mz_access access;
    uint32_t event;
    uint32_t previous_write; /* record of the last write to the location before this event */
    uint32_t previous_read;  /* record of the last read since that write */
} mz_access_record;

typedef struct mz_location_state {
    uint32_t last_write, last_read; /* records; last_read: since the last write */
} mz_location_state;

typedef struct mz_execution {
    uint32_t thread_capacity;
    uint32_t width;   /* of a clock: thread_capacity, rounded up for vector instructions; the rest is 0 */
    bool track_order; /* keep clocks and races */
    bool has_classes; /* some access has, or has had, a class */

    mz_event *events;
    size_t length, event_capacity;
    size_t dynamic_count; /* events whose footprint depended on what they read */

    uint32_t *clocks; /* [position + 1][thread], each row `width` long: the first one, of MZ_NONE, is zero */

    /* What all the events have together, in the order of mz_event. */
    uint32_t record_count, race_total, choice_count, cause_total;

    mz_access_record *records;
    size_t record_capacity;
    mz_location_state *locations;
    size_t location_count, location_capacity; /* grows with the locations that the machine finds */

    uint32_t *races; /* positions, per event from the latest to the earliest; room for all of every event */

    uint32_t *
        *positions; /* [thread][index]: position of that event, first MZ_NONE; room for all events in each */
    uint32_t *thread_length;

    mz_choice *choices; /* initial ones first, then event by event */
    size_t choice_capacity, initial_choices;

    mz_cause *causes;
    size_t cause_capacity;

    uint32_t *candidates; /* scratch */
    size_t candidate_capacity;

    uint64_t dependency_checks; /* evaluations of whether two events depend, as the papers count them */
} mz_execution;

mz_execution *mz_execution_create(const mz_machine *machine, bool track_order);
void mz_execution_destroy(mz_execution *execution);

/* Back to no events; the choices are those of the machine's reset. */
void mz_execution_restart(mz_execution *execution, const mz_choices *choices);
/* Append what the thread just did. */
const mz_event *mz_execution_push(mz_execution *execution, uint32_t thread, const mz_operation *executed,
                                  const mz_choices *choices);
/* The same events, with the order tracked. */
mz_execution *mz_execution_with_order(const mz_execution *execution, const mz_machine *machine);
/* Of the event there; before all of them, at MZ_NONE, zero. */
static inline const uint32_t *mz_clock(const mz_execution *x, uint32_t position)
{
    return x->clocks + (size_t)(position + 1) * x->width;
}

static inline bool mz_happens_before(const mz_execution *x, uint32_t earlier, uint32_t later)
{
    const mz_event *e = &x->events[earlier];
    return mz_clock(x, later)[e->thread] >= e->index;
}

/* Position of the thread's index-th event (1-based), or MZ_NONE. */
static inline uint32_t mz_position_of(const mz_execution *x, uint32_t thread, uint32_t index)
{
    return index <= x->thread_length[thread] ? x->positions[thread][index] : MZ_NONE;
}

/* One that still waits for a cause is not there yet: nothing is to be brought behind it. */
static inline bool mz_causes_have_happened(const mz_execution *x, const mz_operation *operation)
{
    for (uint32_t i = 0; i < operation->cause_count; i++)
        if (operation->causes[i].index > x->thread_length[operation->causes[i].thread])
            return false;
    return true;
}

/* Does a stand before b? MZ_NONE stands before everything. */
static inline bool mz_stands_before(uint32_t a, uint32_t b)
{
    return a + 1 < b + 1;
}

/* The ends of what the events have are where the next one's begins: four numbers, copied as one. */
static inline void mz_copy_ends(uint32_t *to, const uint32_t *from)
{
    typedef uint32_t ends __attribute__((vector_size(16), aligned(4), may_alias));
    _Static_assert(offsetof(mz_execution, cause_total) - offsetof(mz_execution, record_count) ==
                       offsetof(mz_event, first_cause) - offsetof(mz_event, first_access),
                   "accesses, races, choices, causes stand in the same order");
    *(ends *)to = *(const ends *)from;
}

/* Take the last events back, so that this many are left: fewer than there are. */
static inline void mz_execution_cut(mz_execution *x, size_t length)
{
    const mz_event *first = &x->events[length], *event = &x->events[x->length];
    const mz_access_record *first_record = &x->records[first->first_access];
    mz_location_state *locations = x->locations;
    for (const mz_access_record *record = &x->records[x->record_count]; record-- > first_record;)
        locations[record->access.location] =
            (mz_location_state){record->previous_write, record->previous_read};
    uint32_t *thread_length = x->thread_length;
    size_t dynamic_count = x->dynamic_count;
    do {
        event--;
        thread_length[event->thread] = event->index - 1;
        dynamic_count -= event->dynamic;
    } while (event > first);
    x->length = length;
    x->dynamic_count = dynamic_count;
    mz_copy_ends(&x->record_count, &first->first_access);
}

/* Take the last event back. */
static inline void mz_execution_pop(mz_execution *x)
{
    mz_execution_cut(x, x->length - 1);
}

/* Does the event at position e happen before an operation's past: its thread's previous event, at `previous`
 * or MZ_NONE, or one of its causes? Then the two are in this order in every schedule. */
bool mz_is_past(const mz_execution *execution, uint32_t e, uint32_t previous, const mz_cause *causes,
                uint32_t cause_count);

/* Position of the thread's first event after the given position, or MZ_NONE. */
uint32_t mz_first_after(const mz_execution *execution, uint32_t thread, uint32_t position);

/* The last events that an access of the thread would depend on: every other conflicting one happens before
 * one of them, or before the thread's last event. From the latest to the earliest, in x->candidates; how
 * many. */
size_t mz_last_conflicts(mz_execution *execution, uint32_t thread, mz_access access);

/* The last write and the reads since of a location, which need not have been touched yet. */
static inline mz_location_state mz_location_now(const mz_execution *x, uint32_t location)
{
    return location < x->location_count ? x->locations[location] : (mz_location_state){MZ_NONE, MZ_NONE};
}

/* The record before this one in the order of the location: the reads since a write come before the write. */
static inline uint32_t mz_record_before(const mz_execution *x, mz_location_state *state)
{
    uint32_t record = state->last_read;
    if (record != MZ_NONE) {
        state->last_read = x->records[record].previous_read;
        return record;
    }
    record = state->last_write;
    if (record != MZ_NONE)
        *state = (mz_location_state){x->records[record].previous_write, x->records[record].previous_read};
    return record;
}

/* Does it wait for more than one fixed location? */
static inline bool mz_waits_complexly(bool blocking, bool dynamic, uint32_t access_count)
{
    return blocking && (dynamic || access_count > 1);
}

bool mz_event_conflicts(const mz_execution *execution, const mz_event *event, const mz_operation *operation);
bool mz_events_conflict(const mz_execution *execution, const mz_event *a, const mz_event *b);
/* Does e write a location that the other event reads? */
bool mz_writes_what_it_reads(const mz_execution *execution, const mz_event *e, const mz_event *other);

/* Has one of the event's choices another value than the first? */
static inline bool mz_has_higher_choice(const mz_execution *x, const mz_event *event)
{
    for (uint32_t i = 0; i < event->choice_count; i++) {
        const mz_choice *choice = &x->choices[event->first_choice + i];
        if (choice->value != mz_choice_first(choice->low, choice->high))
            return true;
    }
    return false;
}

#endif
