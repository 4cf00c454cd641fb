/* A machine follows the steps of a graph. */
#ifndef MZ_ALGO_GRAPH_FOLLOW_H
#define MZ_ALGO_GRAPH_FOLLOW_H

#include "algo/graph/stack.h"

/* How many of the graph's steps have been made already, in this order and with the same choices, if it is
 * known of so many? Not the last one: what the program chooses there is not known yet. */
size_t mz__common_length(const mz_search *search, const mz__exploration *exploration, const mz__graph *graph,
                         size_t known);
/* The step is the next one: its choices. */
void mz__prescribe_step(mz_search *search, const mz__exploration *exploration, const mz__graph_step *step);
/* The events of the operation at the end of its thread: they are not as by default. */
void mz__note_choices(mz__graph *graph, int32_t event);

#endif
