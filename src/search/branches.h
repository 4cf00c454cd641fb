/* The frontier of algorithms that keep what waits as backtrack sets: branches of the nodes on the path. */
#ifndef MZ_SEARCH_BRANCHES_H
#define MZ_SEARCH_BRANCHES_H

#include "search/items/work_item.h"

struct mz_search;
struct mz_depth_first;

/* Put what waits into the search's frontier: all of it, or what waits at the first node at which anything
 * does. */
void mz_branches_hand_out(struct mz_search *search, const struct mz_depth_first *algorithm, bool all);
/* Other choices before the first operation wait as well. */
void mz_hand_out_valuations(struct mz_search *search, mz_item_form form);

#endif
