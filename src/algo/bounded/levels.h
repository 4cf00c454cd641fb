/* Executions that cost little first: level k is all that cost at most k, exactly. What a step costs is the
 * bound's affair: preemptions.c, delays.c. */
#ifndef MZ_ALGO_BOUNDED_LEVELS_H
#define MZ_ALGO_BOUNDED_LEVELS_H

#include "algo/algorithm.h"
#include "algo/bounded/visits.h"

/* A state on the path, as far as it matters for what the next step costs. */
typedef struct mz__standing {
    mz_threads ready;
    uint32_t last; /* who made the last step; MZ_NONE: there was none */
    uint32_t spent;
} mz__standing;

typedef struct mz__bound {
    const char *unit;   /* what is counted: "preemption" */
    const char *option; /* that ends it: "preemptions" */
    /* How many at most? False: the option was not given, and there is no end but that of the program. */
    bool (*most)(const mz_search_options *options, uint32_t *most);
    /* What it costs to go on with a thread that is ready. */
    uint32_t (*cost)(const mz__standing *at, uint32_t thread);
    /* Those of the threads that are ready that can be gone on with if no more than `level` may be spent: at
     * least one. */
    mz_threads (*affordable)(const mz__standing *at, uint32_t level);
    /* Those of them that are to be: it was not done at this price after this trace. */
    mz_threads (*left)(mz_visits *visits, mz_hash trace, const mz__standing *at, uint32_t level);
    /* Which of these is to be explored first: the cheapest. */
    uint32_t (*first)(const mz__standing *at, mz_threads threads);
} mz__bound;

/* Level after level, until one of them has refused nothing, or the option ends it. */
void mz__explore_levels(mz_search *search, const mz__bound *bound);

#endif
