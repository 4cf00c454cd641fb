/* Realising observations: given events, what each loose read is to read from, and the order of the
 * observation, find a sequence of all of them in which it does (sequential consistency), or tell that there
 * is none.
 *
 * The events are some of an execution, closed under the order of its observation, and one or two operations
 * that are added. Deciding this is NP-complete in general, and polynomial for a fixed number of threads. In
 * turn, each step with its reasons in its file:
 *  1. realise_insert.c: insert the added operations into the sequence that there is, if they fit somewhere.
 *  2. realise_defer.c: defer some events, if that will do.
 *  3. realise_saturate.c: let the order grow by what follows from it, until a cycle shows that there is no
 *     sequence, or nothing does.
 *  4. realise_threads.c: if all that is left has to do with one thread, or threads that share locations form
 *     trees, there is a sequence then.
 *  5. realise_search.c: otherwise search for it, from its beginning.
 * For the last three, realise_problem.c sets up what they need to know. */
#ifndef MZ_ALGO_RF_REALISE_H
#define MZ_ALGO_RF_REALISE_H

#include "algo/rf/observation.h"
#include "base/hash_set.h"

/* An operation to add: the next one of its thread after the given events. What it conflicts with on strict
 * locations comes before it. */
typedef struct mz_addition {
    uint32_t thread;
    uint32_t access_count;
    const mz_access *accesses;
    /* Per access that is a loose read: the position of the event to read from, MZ_NONE for the initial value,
     * or MZ_FIRST_ADDITION. */
    const uint32_t *writers;
    uint32_t cause_count;
    const mz_cause *causes;
} mz_addition;

#define MZ_FIRST_ADDITION (UINT32_MAX - 1)
enum { MZ_MOST_ADDITIONS = 2 };

typedef struct mz_realise_node {
    uint32_t thread, index;
    uint32_t first_touch, touch_count;
} mz_realise_node;

/* One access of one event to a loose location. */
typedef struct mz_touch {
    uint32_t node, location; /* locations are numbered anew */
    bool reads, writes;
    uint32_t writer;  /* node read from, or MZ_NONE */
    uint32_t readers; /* of what it writes */
    uint32_t open;    /* while it is placed: what was open before */
} mz_touch;

typedef struct mz_realise_write {
    uint32_t thread, index, node;
} mz_realise_write;

/* While events are deferred: of the deferred ones, as far as they have been looked at, those that access a
 * loose location. */
typedef struct mz_crossing {
    uint32_t round;     /* that the rest was found in */
    bool has_open_read; /* which reads from something that is not deferred */
    size_t write;       /* where the first write stands */
} mz_crossing;

typedef struct mz_realiser {
    const mz_execution *execution;
    const mz_observation *observation;
    const uint32_t *set; /* how many events of each thread there are */
    const mz_addition *additions;
    uint32_t addition_count;

    /* The result: positions of events, and the execution's length + i for the i-th addition. */
    uint32_t *order;
    size_t order_count, order_capacity;
    size_t unmoved; /* so many of the first ones are where they are in the execution: order[i] = i */
    size_t counted; /* so many of the first numbers of `order` have been put to that since they were others */

    /* Step 2. */
    uint32_t staying[MZ_MAX_THREADS]; /* what is not deferred: so many events of each thread */
    uint32_t needed[MZ_MAX_THREADS];  /* so many events of each thread have to come before the additions */
    mz_crossing *crossings;           /* [location] */
    uint32_t *places;                 /* [position]: where it stands, if it is not one of the unmoved */
    size_t crossing_capacity, place_capacity;
    uint32_t round;

    /* Steps 3 to 5. */
    mz_realise_node *nodes;
    uint32_t *clocks; /* [node][thread]: what comes before it or equals it */
    uint32_t *items;  /* [node]: as in `order` */
    mz_touch *touches;
    mz_realise_write *writes;           /* in the order of location, thread, index */
    uint32_t *node_of;                  /* [position] */
    uint32_t *by_index[MZ_MAX_THREADS]; /* [thread][index - 1]: node */
    uint32_t *dense;                    /* [location]: number of a loose location plus one, or 0 */
    uint32_t *first_write;              /* [loose location]: in `writes` */
    uint32_t *open;                     /* [loose location]: reads of its last write that are missing */
    uint32_t *work;                     /* nodes whose clock has grown */
    size_t node_count, touch_count, write_count, loose_count;
    size_t node_capacity, clock_capacity, item_capacity, touch_capacity, write_capacity, position_capacity,
        dense_capacity, first_write_capacity, open_capacity, work_capacity;
    size_t index_capacity[MZ_MAX_THREADS];
    uint32_t lengths[MZ_MAX_THREADS], placed[MZ_MAX_THREADS];
    mz_hash_set dead_ends;
    uint64_t searches; /* how often step 5 was needed */
} mz_realiser;

/* Fill in the first fields, then ask. True if there is a sequence: in `order`. */
bool mz_realise(mz_realiser *realiser);
/* Only steps 1 and 2: false says nothing. */
bool mz_realise_at_once(mz_realiser *realiser);
/* Only the other steps. */
bool mz_realise_by_order(mz_realiser *realiser);
/* Only the events of the set, and only step 3: what comes before an event in every sequence, as far as that
 * follows. Until the next question. */
void mz_realiser_saturate(mz_realiser *realiser);
const uint32_t *mz_saturated(const mz_realiser *realiser, uint32_t position);
void mz_realiser_release(mz_realiser *realiser);

#endif
