/* What the parts of reverse search over observations (algo/rf/mutations.h) share: the notation is that of
 * algo/rf/rf.c, and E is the execution at hand. */
#ifndef MZ_ALGO_RF_MUTATIONS_INTERNAL_H
#define MZ_ALGO_RF_MUTATIONS_INTERNAL_H

#include "algo/rf/mutations.h"
#include "base/vector.h"

/* An operation that is looked at: an event of E, or one that is pending. */
typedef struct mz__subject {
    uint32_t thread, index;
    mz_operation_kind kind;
    bool blocking, conditional;
    bool moves; /* what it touches, or waits for, depends on what it reads, or it waits for several locations
                 */
    uint32_t access_count;
    const mz_access *accesses;
    uint32_t *writers; /* of its loose reads */
    uint32_t cause_count;
    const mz_cause *causes;
} mz__subject;

/* Each has its room for accesses and writers. */
enum { MZ__OF_X, MZ__OF_PIVOT, MZ__OF_DEFAULT, MZ__SLOTS };
_Static_assert((int)MZ__SLOTS == (int)MZ_SUBJECTS, "there is room for each");

typedef uint32_t mz__set_of_events[MZ_MAX_THREADS]; /* the first so many of each thread */

/* Clocks of an order of events. */
typedef const uint32_t *(*mz__clock_function)(const mz_mutations *m, uint32_t position);

/* E mutated at the stage: after the events of a set, x and the pivot e. */
typedef struct mz__attempt {
    uint32_t stage, e;
    mz__set_of_events state; /* before the stage */
    /* Position of x in E, where it directly follows e and what is kept; MZ_NONE if it waits there. */
    uint32_t x_event;
    mz__subject x, pivot;
    bool conflict_strictly;
    uint32_t pivot_reads;
} mz__attempt;

/* Looking for the ways in which an operation can happen after the events of a set. */
typedef struct mz__ways {
    mz_mutations *m;
    int slot;
    mz__subject
        operation; /* its accesses, and what they read from, are those of the way that was found last */
    const uint32_t *set;
    const mz__subject *before; /* happens after the set, before the operation; NULL if nothing does */
    bool is_ready;             /* it does not have to wait */
    /* What it would touch now, with some of its reads known. May be NULL. */
    void (*see)(struct mz__ways *ways, const mz_operation *pending);
    /* A way has been found; it is realised unless it has to wait. True to end. NULL: what is seen is enough.
     */
    bool (*is_enough)(struct mz__ways *ways);
    void *context;
} mz__ways;

/* mutations.c: the events of the stages before that of the pivot at this position. */
void mz__find_state_before(const mz_mutations *mutations, uint32_t pivot, uint32_t *state);

/* mutations_subjects.c: room for subjects with so many accesses. What is there keeps its place. */
void mz__make_room_for_subjects(mz_mutations *mutations, uint32_t most_accesses);
mz__subject mz__subject_pending(mz_mutations *mutations, int slot, const mz_operation *pending,
                                uint32_t thread);
/* A compare-and-swap may write if it reads from another write. */
mz__subject mz__subject_of_event(mz_mutations *mutations, int slot, uint32_t position);
/* A conditional operation is taken to write; or not. */
void mz__take_for_read(mz_mutations *mutations, mz__subject *subject);
void mz__take_for_write(mz_mutations *mutations, mz__subject *subject);

/* mutations_trials.c */
mz_realiser *mz__prepare_realiser(mz_mutations *mutations, const uint32_t *set, const mz_addition *additions,
                                  uint32_t count);
/* Is there a sequence of the events of the set and the subjects in which they read as their writers say? */
bool mz__realise_subjects(mz_mutations *mutations, const uint32_t *set, const mz__subject *const *subjects,
                          uint32_t count);
/* The same for one subject, if that can be told quickly: false says nothing. */
bool mz__realise_at_once(mz_mutations *mutations, const uint32_t *set, const mz__subject *subject);
/* Run what has been realised up to this item, which is not done. `first`: the first addition, if it is
 * another one. */
void mz__run_realised(mz_mutations *mutations, const mz__subject *first, uint32_t end);
/* Would the thread write, as the next one after what has been realised? */
bool mz__would_write(mz_mutations *mutations, uint32_t thread);
/* Can the operation, if it may have to wait, happen after these events? */
bool mz__is_ready_after(mz_mutations *mutations, const uint32_t *set, const mz__subject *subject);

/* mutations_writes.c, once the execution has ended: the last write of a loose location by the thread among
 * its first so many events; and, of a set of events, the one that comes last in E. MZ_NONE if there is none.
 */
uint32_t mz__last_write_of(mz_mutations *mutations, uint32_t location, uint32_t thread, uint32_t length);
uint32_t mz__last_write_in(mz_mutations *mutations, const uint32_t *set, uint32_t location);

/* mutations_default.c: is the event what its thread does by default after the events of the set? */
bool mz__is_default(mz_mutations *mutations, const uint32_t *set, uint32_t position);

/* mutations_parting.c: the event, which came by default and accesses one location, reads from the candidate
 * instead, another one than it does. False if that is not easily told; otherwise the events before it, and
 * it, are in m->order (numbered as in mz_mutation), from where that is not E. */
bool mz__part_for_reading(mz_mutations *mutations, uint32_t position, uint32_t candidate, size_t *unmoved);

/* mutations_ways.c: true if it was ended. */
bool mz__walk_ways(mz__ways *ways);
void mz__release_ways(mz_mutations *mutations);

/* mutations_parent.c: E with what is kept, then e, then x if it does not wait: everything else is to be
 * default. */
void mz__beginning_of(const mz_mutations *mutations, const mz__attempt *attempt, const uint32_t *set,
                      uint32_t *beginning);
bool mz__rest_is_default(mz_mutations *mutations, const mz__attempt *attempt, const uint32_t *set,
                         const uint32_t *beginning);
/* Are the stages after this one as they are by default? */
bool mz__later_stages_are_default(mz_mutations *mutations, uint32_t stage, const uint32_t *beginning);
/* Where x waits after e, it must; and where it does not it must not have to. */
bool mz__waits_as_assumed(mz_mutations *mutations, const mz__attempt *attempt, const uint32_t *set);
/* What has been realised. */
void mz__adopt_attempt(mz_mutations *mutations, const mz__attempt *attempt, const uint32_t *set,
                       mz_expectation of_pivot);
/* It is known what x and the pivot read from: adopt what results if E is its parent. */
void mz__finish_attempt(mz_mutations *mutations, mz__attempt *attempt, const uint32_t *set);

/* mutations_backward.c: adopt what results from x and the pivot of the attempt, whatever they read from. */
void mz__try_attempt(mz_mutations *mutations, mz__attempt *attempt);

/* mutations_moving.c: the same if one of the two moves. */
void mz__try_moving(mz_mutations *mutations, mz__attempt *attempt);

/* mutations_strict.c: the attempt on a pivot. False if the event is none that can be moved. */
bool mz__begin_attempt(mz_mutations *mutations, uint32_t e, mz__attempt *attempt);
/* Are all bends in later stages before the event, or the event? */
bool mz__has_bends_behind(const mz_mutations *mutations, uint32_t stage, uint32_t position);
/* Do they conflict strictly in one of the first accesses of the event at `position`? Then they have been met
 * there. */
bool mz__conflict_before(const mz_mutations *mutations, uint32_t e, uint32_t position, uint32_t accesses);
/* The event is x, and comes directly after e because of a strict location. */
void mz__try_directly_before(mz_mutations *mutations, uint32_t position);
/* x, which waits for a location after one of its writes, from the last one on. */
void mz__try_waiting(mz_mutations *mutations, const mz__subject *waiting, uint32_t last_write);

/* mutations_last.c: the same where nothing can be chosen, but for what waits at the end. */
void mz__try_last(mz_mutations *mutations);

static inline const mz_execution *mz__execution_of(const mz_mutations *m)
{
    return m->search->execution;
}

/* The event that an access is of; MZ_NONE if there is none. */
static inline uint32_t mz__event_of(const mz_execution *x, uint32_t record)
{
    return record == MZ_NONE ? MZ_NONE : x->records[record].event;
}

/* Candidates to read from: the higher thread first, in a thread the later write; the initial value last. */
static inline bool mz__comes_first(const mz_execution *x, uint32_t a, uint32_t b)
{
    if (a == MZ_NONE || b == MZ_NONE)
        return b == MZ_NONE && a != MZ_NONE;
    const mz_event *one = &x->events[a], *other = &x->events[b];
    return one->thread != other->thread ? one->thread > other->thread : one->index > other->index;
}

static inline uint32_t mz__width_of(const mz_mutations *m)
{
    return m->observation.width;
}

static inline bool mz__is_in(const uint32_t *set, const mz_event *event)
{
    return event->index <= set[event->thread];
}

static inline void mz__join(const mz_mutations *m, uint32_t *set, const uint32_t *other)
{
    mz_join_clock(set, other, mz__width_of(m));
}

static inline const uint32_t *mz__observed(const mz_mutations *m, uint32_t position)
{
    return mz_observed(&m->observation, position);
}

/* Of a stage that is not given. */
static inline uint32_t mz__position_of_stage(const mz_mutations *m, uint32_t stage)
{
    return (uint32_t)m->given + (stage - m->default_from);
}

/* The position of the first event that is not in the set. */
static inline uint32_t mz__first_left_out(const mz_mutations *m, const uint32_t *set)
{
    const mz_execution *x = mz__execution_of(m);
    uint32_t first = (uint32_t)x->length;
    for (uint32_t t = 0; t < x->thread_capacity; t++)
        if (set[t] < x->thread_length[t] && x->positions[t][set[t] + 1] < first)
            first = x->positions[t][set[t] + 1];
    return first;
}

/* To memory that lasts longer than that of the machine. */
static inline void mz__copy_causes(mz__subject *o, mz_cause *causes)
{
    for (uint32_t i = 0; i < o->cause_count; i++)
        causes[i] = o->causes[i];
    o->causes = causes;
}

static inline bool mz__moves(const mz_event *event)
{
    return event->dynamic || mz_waits_complexly(event->blocking, event->dynamic, event->access_count);
}

/* Nothing reads or writes more than one location, in whatever order. */
static inline bool mz__has_no_choices(const mz_mutations *m)
{
    return m->most_accesses == 1 && !m->may_move;
}

static inline bool mz__reads_loosely(const mz_mutations *m, const mz__subject *o, uint32_t i)
{
    return mz_is_loose_read(&m->observation, o->accesses[i]);
}

static inline bool mz__has_loose_read(const mz_mutations *m, uint32_t position)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++)
        if (mz_is_loose_read(&m->observation, x->records[event->first_access + i].access))
            return true;
    return false;
}

/* Does it read loosely, so that what it touches may be something else in T, whatever x and e are? */
static inline bool mz__is_mover(const mz_mutations *m, uint32_t position)
{
    return mz__moves(&mz__execution_of(m)->events[position]) && mz__has_loose_read(m, position);
}

/* Join to the set what comes before the operation whatever it reads. */
static inline void mz__join_past(const mz_mutations *m, const mz__subject *o, uint32_t *set,
                                 mz__clock_function clock)
{
    const mz_execution *x = mz__execution_of(m);
    if (o->index > 1)
        mz__join(m, set, clock(m, mz_position_of(x, o->thread, o->index - 1)));
    for (uint32_t i = 0; i < o->cause_count; i++)
        mz__join(m, set, clock(m, mz_position_of(x, o->causes[i].thread, o->causes[i].index)));
}

MZ_INLINE void mz__join_record(const mz_mutations *m, uint32_t record, uint32_t but, uint32_t *set,
                               uint32_t width)
{
    const mz_execution *x = mz__execution_of(m);
    if (record != MZ_NONE && x->records[record].event != but)
        mz_join_clock(set, mz__observed(m, x->records[record].event), width);
}

/* Join to the set what the event comes after because of strict locations, other than through one event. */
MZ_INLINE void mz__join_strict_past(const mz_mutations *m, uint32_t position, uint32_t but, uint32_t *set,
                                    uint32_t width)
{
    const mz_execution *x = mz__execution_of(m);
    const mz_event *event = &x->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const mz_access_record *record = &x->records[event->first_access + i];
        if (mz_is_loose(&m->observation, record->access.location))
            continue;
        /* hidden behind that one is what it comes after itself */
        mz__join_record(m, record->previous_write, but, set, width);
        for (uint32_t r = record->previous_read; (record->access.kind & MZ_WRITE) && r != MZ_NONE;
             r = x->records[r].previous_read)
            mz__join_record(m, r, but, set, width);
    }
}

#endif
