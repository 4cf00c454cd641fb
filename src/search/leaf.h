/* The end of an execution: how it ended, what it counts as, and who is told. */
#ifndef MZ_SEARCH_LEAF_H
#define MZ_SEARCH_LEAF_H

#include "search/search.h"

/* In a state in which nobody can go on. */
mz_leaf mz_leaf_of(const mz_status *status);
/* Count the current execution. */
void mz_leaf_count(mz_search *search, const mz_depth_first *algorithm, mz_leaf leaf);
/* It has ended: report, count, compare it with its repetition, tell the algorithm. */
void mz_leaf_end(mz_search *search, const mz_depth_first *algorithm, mz_leaf leaf);

#endif
