/* How many consistent graphs a program has, estimated without visiting them all. */
#ifndef MZ_ALGO_GRAPH_GRAPH_SIZE_H
#define MZ_ALGO_GRAPH_GRAPH_SIZE_H

#include "algo/algorithm.h"

/* In the time that the options give. */
mz_tree_size mz__graph_size(mz_machine *machine, const mz_search_options *options, uint64_t seed);

#endif
