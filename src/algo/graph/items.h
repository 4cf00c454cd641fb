/* Parts of a search of graphs: explore.c. A graph is found from its parent alone and by nobody else, and what
 * is found from it does not depend on how it was come to. So an item is a graph: as it is before the step
 * that was added last has been made. Whoever explores it makes its steps, as whoever comes from another graph
 * would. The search of an item keeps all that it finds, and nothing has an owner.
 *
 * Slots of locations are numbers of one search, since locations may have other numbers in another process.
 * They are found again on the way: the steps are those of the events of the graph. */
#ifndef MZ_ALGO_GRAPH_ITEMS_H
#define MZ_ALGO_GRAPH_ITEMS_H

#include "algo/graph/stack.h"
#include "search/frontier.h"

/* Into the frontier of the search: all that waits, in the order in which the search would come to it; or what
 * waits at the first graph of the path at which something does. */
void mz__graphs_hand_out(mz_search *search, mz__exploration *exploration, bool all);
/* The stack, with the first graph on it, becomes that of the item. False if it is none. */
bool mz__graphs_begin(mz__exploration *exploration, const mz_work_item *item);
/* This step, on the way to the item's graph, is about to be made. False if it cannot be. */
bool mz__graphs_pass(mz_search *search, mz__exploration *exploration, const mz__graph_step *step);

#endif
