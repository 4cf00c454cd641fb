/* An exploration algorithm. Adding one = one file + one line in MZ_ALGORITHMS. */
#ifndef MZ_ALGO_ALGORITHM_H
#define MZ_ALGO_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>

#include "search/search.h"

typedef enum mz_equivalence {
    MZ_INTERLEAVING, /* every order of operations is its own */
    MZ_MAZURKIEWICZ, /* executions that order all dependent events alike are one trace */
    MZ_OBSERVATION,  /* executions in which all reads read from the same writes are one */
} mz_equivalence;

typedef struct mz_algorithm {
    const char *name;
    const char *description; /* one line */
    mz_equivalence equivalence;
    bool optimal; /* claims: no execution ends blocked (unless waiting is complex), none repeats a trace */
    bool repeats; /* may visit a trace more than once */
    bool only_on_trees; /* visits an observation once if the threads that share locations form trees, else as
                         * often as it has traces at most */
    bool can_be_stateful;
    bool closes_loops; /* ends executions at loop boundaries in states that it knows: search/loop_closing.c */
    bool can_be_cut;   /* --depth: takes executions that have not come to their end */
    bool in_one_piece; /* its search cannot be parted: there are no work items of it (search/frontier.h) */
    /* Explore everything, or the search's item. */
    void (*run)(mz_search *search);
} mz_algorithm;

/* The one list. */
#define MZ_ALGORITHMS(X)                                                                                     \
    X(mz_algorithm_full)                                                                                     \
    X(mz_algorithm_dpor)                                                                                     \
    X(mz_algorithm_source)                                                                                   \
    X(mz_algorithm_optimal)                                                                                  \
    X(mz_algorithm_eager)                                                                                    \
    X(mz_algorithm_eager_short)                                                                              \
    X(mz_algorithm_lazy)                                                                                     \
    X(mz_algorithm_dc)                                                                                       \
    X(mz_algorithm_rf)                                                                                       \
    X(mz_algorithm_bounded)

#define MZ_X(name) extern const mz_algorithm name;
MZ_ALGORITHMS(MZ_X)
#undef MZ_X

extern const mz_algorithm *const mz_algorithms[];
extern const size_t mz_algorithm_count;

/* NULL if there is none of that name. */
const mz_algorithm *mz_find_algorithm(const char *name);

#endif
