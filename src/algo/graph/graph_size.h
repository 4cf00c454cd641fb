/* How many consistent graphs a program has, estimated without visiting them all. */
#ifndef MZ_ALGO_GRAPH_GRAPH_SIZE_H
#define MZ_ALGO_GRAPH_GRAPH_SIZE_H

#include "search/search.h"

typedef struct mz_graph_size {
    bool known;        /* false: there was no time for anything */
    bool counted;      /* nothing was left out */
    bool error;        /* a failure or a deadlock was seen */
    bool begin_again;  /* stopped because the machine has learned something: see mz_machine */
    double graphs;     /* complete ones */
    double executions; /* with those that are pruned or redundant */
    size_t rounds;
} mz_graph_size;

/* In the time that the options give. */
mz_graph_size mz_graph_size_estimate(mz_machine *machine, const mz_search_options *options, uint64_t seed);

#endif
