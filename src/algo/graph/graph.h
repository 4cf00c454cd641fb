/* An execution graph: what a concurrent program has done, without saying when. Events are in program order
 * (po); a read has the write that it reads from (rf); the writes of a location have an order, the
 * modification order (mo). Which graphs there are is what a memory model says (model.h).
 *
 * An update is two events, a read and, if it writes, a write directly behind it in po. So is taking a mutex;
 * giving it back is a write. So is every operation on another synchronisation object: all of them are in one
 * order. Waiting for a condition variable is that and, behind it, giving back the mutex. The initial value of
 * a location is a write that is no event: MZ__INITIAL, first in mo, before everything.
 *
 * Events stand in the order in which they were added. That need not be an order in which they can be
 * executed: a read may have been changed to read from a write that was added later. `steps` is such an order:
 * one that respects po and rf. */
#ifndef MZ_ALGO_GRAPH_GRAPH_H
#define MZ_ALGO_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

enum { MZ__INITIAL = -1, MZ__NO_EVENT = -2 };

typedef enum mz__event_kind { MZ__R, MZ__W, MZ__F } mz__event_kind; /* read, write, neither */

typedef struct mz__event {
    uint32_t thread, index; /* its place in po: 0 is the first one */
    uint32_t operation;     /* which operation of its thread, counted from 1: updates are one */
    uint32_t slot;          /* of its location; fences have none */
    mz__event_kind kind : 8;
    uint8_t order;           /* mz_order */
    bool is_update : 1;      /* one of the two events of an update that writes */
    bool is_lock : 1;        /* taking a mutex, or giving it back */
    bool is_object : 1;      /* an operation on another synchronisation object */
    bool shares : 1;         /* of a reader of a read-write lock: what one publishes only writers acquire */
    bool is_loose : 1;       /* its causes are in po, but not in happens-before */
    bool is_conditional : 1; /* the read of a compare-exchange: which order it has depends on what it reads */
    bool is_promised : 1; /* a read that is not executed yet: its operation is the next one of its thread */
    bool has_choices : 1; /* its operation was followed by a choice other than the first one */
    int32_t before;       /* in po, or MZ__NO_EVENT */
    int32_t from;         /* R: where it reads from */
    int32_t older, newer; /* W: its neighbours in mo; the oldest has MZ__INITIAL, the newest MZ__NO_EVENT */
    uint32_t rank;        /* W: its place in mo, from 1 on */
    uint32_t first_cause, cause_count;
} mz__event;

/* One step of the machine: the operation of a thread, and the choices of it. */
typedef struct mz__graph_step {
    int32_t event; /* the first one of the operation */
    uint32_t thread;
    bool chooses;                        /* there was a choice of where to read from, or of a place in mo: */
    uint32_t back;                       /* how many writes stand behind it */
    uint32_t first_choice, choice_count; /* of the program, behind that one */
} mz__graph_step;

typedef struct mz__slot {
    int32_t newest; /* write in mo, or MZ__INITIAL */
} mz__slot;

/* An event before it was changed; its clocks are in saved_clocks. */
typedef struct mz__saved_event {
    int32_t event;
    mz__event was;
} mz__saved_event;

typedef struct mz__graph {
    uint32_t threads; /* how many there can be: the length of a clock */
    uint32_t count, step_count, slot_count;
    size_t event_capacity, step_capacity, slot_capacity, clock_capacity;
    mz__event *events;
    mz__graph_step *steps;
    mz__slot *slots;
    int32_t *last; /* of each thread, or MZ__NO_EVENT */
    /* Clocks: of each event and thread, how many of the thread's first events come before it or are it. By
     * program order and causes (creating and joining threads); by that and rf; by happens-before; and of a
     * write, what it publishes. One array, four rows for each event. */
    uint32_t *clocks;
    mz__saved_event *saved;
    uint32_t *saved_clocks;
    size_t saved_count, saved_capacity, saved_clock_capacity;
} mz__graph;

/* How large a graph was. */
typedef struct mz__graph_mark {
    uint32_t count, step_count, slot_count;
    size_t saved_count;
} mz__graph_mark;

enum { MZ__BY_PO, MZ__BY_RF, MZ__BY_HB, MZ__PUBLISHED, MZ__CLOCKS };

static inline uint32_t *mz__clock_of(const mz__graph *g, int32_t event, int which)
{
    return g->clocks + ((size_t)event * MZ__CLOCKS + (size_t)which) * g->threads;
}

/* Does e come before f, or is it f? */
static inline bool mz__comes_before(const mz__graph *g, int which, int32_t e, int32_t f)
{
    return mz__clock_of(g, f, which)[g->events[e].thread] > g->events[e].index;
}

static inline bool mz__happens_before(const mz__graph *g, int32_t e, int32_t f)
{
    return mz__comes_before(g, MZ__BY_HB, e, f);
}

void mz__graph_init(mz__graph *graph, uint32_t threads);
void mz__graph_release(mz__graph *graph);
/* There is room for so many. */
void mz__graph_reserve(mz__graph *graph, size_t events, size_t steps, size_t slots);
void mz__graph_copy(mz__graph *to, const mz__graph *from);

/* A graph that grew, operation by operation, becomes what it was: events behind the mark go, others that were
 * saved before they were changed become what they were. A copy cannot go further back than to what it was
 * made from, unless that is copied, too. */
mz__graph_mark mz__graph_mark_of(const mz__graph *graph);
void mz__graph_save(mz__graph *graph, int32_t event);
void mz__graph_take_back(mz__graph *graph, const mz__graph_mark *mark);
void mz__graph_copy_with_past(mz__graph *to, const mz__graph *from);

/* Add an event at the end of its thread. Thread, slot, kind, order, what it is and its causes are given. */
int32_t mz__graph_add(mz__graph *graph, const mz__event *event);
/* The read reads from this write; all clocks of the read follow. It is the last event of its thread. */
void mz__graph_set_from(mz__graph *graph, int32_t read, int32_t write, const mz_cause *causes);
/* The write stands directly behind this one in mo; what it publishes follows. */
void mz__graph_insert(mz__graph *graph, int32_t write, int32_t older);
/* A fence: its clocks. */
void mz__graph_set_fence(mz__graph *graph, int32_t fence, const mz_cause *causes);
/* The clocks of a write that has just been added, except for what it publishes. */
void mz__graph_set_write(mz__graph *graph, int32_t write, const mz_cause *causes);
/* Only events of which this is true are left, with the numbers that this says. They are the first ones of
 * their threads, and no read of them but `waiting` ones reads from one that goes. */
void mz__graph_keep(mz__graph *graph, const bool *kept, int32_t *number);

/* The last event of the operations of a thread up to that of the cause, or MZ__NO_EVENT. */
int32_t mz__event_of_cause(const mz__graph *graph, mz_cause cause);

static inline uint32_t mz__rank(const mz__graph *g, int32_t write)
{
    return write < 0 ? 0 : g->events[write].rank;
}

/* Of two writes of a location: is a newer than b? */
static inline bool mz__is_newer(const mz__graph *g, int32_t a, int32_t b)
{
    return mz__rank(g, a) > mz__rank(g, b);
}

/* Of a mutex: the write by which it was taken, if this one gives it back; otherwise the write itself. */
static inline int32_t mz__section_of(const mz__graph *g, int32_t write)
{
    bool gives = write >= 0 && g->events[write].is_lock && !g->events[write].is_update;
    return gives ? g->events[write].older : write;
}
static inline int32_t mz__newer(const mz__graph *g, uint32_t slot, int32_t write)
{
    if (write != MZ__INITIAL)
        return g->events[write].newer;
    int32_t oldest = g->slots[slot].newest;
    if (oldest == MZ__INITIAL)
        return MZ__NO_EVENT;
    while (g->events[oldest].older != MZ__INITIAL)
        oldest = g->events[oldest].older;
    return oldest;
}

#endif
