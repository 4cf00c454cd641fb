/* Random constraint sets for a program. */
#ifndef MZ_ORACLE_EDGES_H
#define MZ_ORACLE_EDGES_H

#include "safe/plan/constrained.h"

enum { MOST_EDGES = 4 };

/* With some seeds the edges agree with an execution, so
 * that they can all be kept; with others they are any: some never come, some go round. Returns how many. */
size_t edges_choose(mz_machine *machine, uint64_t seed, mz_edge edges[MOST_EDGES]);

#endif
