/* A memory model: which graphs are executions. One short file for each. */
#ifndef MZ_ALGO_GRAPH_MODEL_H
#define MZ_ALGO_GRAPH_MODEL_H

#include "algo/graph/graph.h"
#include "algo/graph/relation.h"

enum { MZ__MODEL_SCRATCH = 5 };

/* What all models here ask for, and the search sees to by itself: po ∪ rf is acyclic, so that events can be
 * added in an order in which they can be executed; no write stands in mo between what an update reads and
 * what it writes. And all of them are closed under prefixes: what is left of a consistent graph, when events
 * go together with all that come after them in po ∪ rf, is consistent. */
typedef struct mz__memory_model {
    const char *name;
    int coherent_by; /* a clock: in this order nobody overlooks what comes before (mz__rank_in_sight) */
    /* The last event of its thread has been added, with where it reads from or its place in mo. Without it
     * the graph is consistent: is it still? There are MZ__MODEL_SCRATCH relations to calculate with. */
    bool (*admits)(mz__graph *graph, int32_t event, mz__relation *scratch);
} mz__memory_model;

extern const mz__memory_model mz__model_sc, mz__model_tso, mz__model_rc11;

/* Coherence: does the event not read or write anything older than what comes before it, in the order of one
 * of the clocks, has read or written? */
bool mz__is_coherent(const mz__graph *graph, int32_t event, int order);
/* The rank of the newest write of the location that is in the past, or read there. */
uint32_t mz__rank_in_sight(const mz__graph *graph, uint32_t slot, const uint32_t *past);

#endif
