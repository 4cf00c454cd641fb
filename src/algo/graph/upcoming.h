#ifndef MZ_ALGO_GRAPH_UPCOMING_H
#define MZ_ALGO_GRAPH_UPCOMING_H

#include "algo/graph/stack.h"

/* The machine has come to where the graph at hand ends: what may come of it is added to its children. Where
 * it cannot be said, the search stops. True if nobody can go on who has not missed where it was to go on: the
 * execution is redundant. */
bool mz__expand_graph(mz_search *search, mz__exploration *exploration);
/* The same for one thread, and only with what is there already: nothing is revisited if the children are told
 * so. False if it cannot be said. */
bool mz__expand_forward(mz_search *search, mz__exploration *exploration, uint32_t thread);

#endif
