/* Reversing races: which reversals an execution asks for. What is done about each of them is the algorithm's:
 * see the notation at the top of races.c. */
#ifndef MZ_SEARCH_RACES_H
#define MZ_SEARCH_RACES_H

#include "search/search.h"

/* v = notdep(e)·x */
typedef struct mz_reversal {
    uint32_t e;          /* position of the event that is to come later */
    uint32_t thread;     /* of x, the operation that is to come first */
    uint32_t index;      /* of x in its thread, from 1 */
    bool initial;        /* x has nothing in v before it */
    uint32_t event;      /* position of x; MZ_NONE if it was still waiting at the end */
    mz_threads left_out; /* their first events behind e are not in v */
} mz_reversal;

typedef void (*mz_reverse)(mz_search *search, const mz_reversal *reversal);

/* The operations that wait at the end of an execution. */
typedef struct mz_waiting {
    mz_threads threads;
    struct {
        mz_operation operation;
        mz_access access;
        mz_cause causes[MZ_MAX_THREADS]; /* one of each thread at most: its later events follow its earlier */
    } of[MZ_MAX_THREADS];
} mz_waiting;

/* Take them from the machine, before it is used for anything else. */
void mz_collect_waiting(mz_search *search, mz_waiting *waiting);

/* The races of all events that are new since the last leaf, those whose reversal may change a footprint (old
 * ones too), and every operation that waits. */
void mz_reverse_races(mz_search *search, mz_reverse reverse);

/* See to it that the node before e explores an initial of v: source sets. */
void mz_require_initial(mz_search *search, const mz_reversal *reversal);

/* Is the event after e an initial of notdep(e)? Everything that happens before it must stand before e. (It is
 * then its thread's first event after e, and does not happen after e.) */
static inline bool mz_is_initial(const mz_execution *x, uint32_t e, uint32_t position)
{
    return mz_stands_before(x->events[position].last_dependency, e);
}

#endif
