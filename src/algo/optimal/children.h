/* Reverse search over traces: the children of an execution. Every trace but one has a parent, and the
 * children of a trace can be found from it alone. What parent means, and why: algo/optimal/optimal.c. */
#ifndef MZ_ALGO_OPTIMAL_CHILDREN_H
#define MZ_ALGO_OPTIMAL_CHILDREN_H

#include "search/search.h"

/* The place in its execution's normal form of one event on the path. */
typedef struct mz_place {
    bool pivot;         /* else it is part of a detour */
    uint32_t detour;    /* pivot: how many events directly before it are its detour */
    uint32_t last_bend; /* position of the last bend before this event, or MZ_NONE */
} mz_place;

/* The trace to visit: from the state before e the events at `kept`, then the next operation of `thread`, then
 * e's thread (unless it is made to wait), then the default. */
typedef struct mz_child {
    uint32_t e;
    const uint32_t *kept;
    size_t kept_count;
    uint32_t thread;
    bool pivot_waits;
} mz_child;

typedef void (*mz_adopt)(mz_search *search, const mz_child *child);

typedef struct mz_kinship {
    const mz_place *places; /* of the events of the execution */
    uint32_t last_bend;     /* of the whole execution */
    mz_adopt adopt;
    /* A pivot that waits for more than one fixed location has been found to be made to wait: there is no
     * normal form for that (algo/optimal/optimal.c). What has been found so far is right, but not all. */
    bool gave_up;
    /* Scratch. */
    uint32_t *kept, *tried;
    size_t kept_capacity, tried_count, tried_capacity;
    mz_access *accesses;
    size_t access_capacity;
} mz_kinship;

/* The first one that is ready; one that waits for more than one fixed location only if there is no other. */
uint32_t mz_default_thread(const mz_search *search, mz_threads ready);
/* An event that the default would not have brought: part of a detour, or with a choice that is not the
 * lowest. */
static inline bool mz_is_bend(const mz_execution *x, const mz_place *places, uint32_t position)
{
    return !places[position].pivot || mz_has_higher_choice(x, &x->events[position]);
}

/* The execution has ended: call adopt for each of its children. */
void mz_find_children(mz_search *search, mz_kinship *kinship);
void mz_kinship_release(mz_kinship *kinship);

#endif
