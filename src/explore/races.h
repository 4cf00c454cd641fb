/* Reversing races: given that event e races with operation x, what must be explored from the state
 * before e so that x (or something as good) comes first? Used by every source-set algorithm. */
#ifndef MZ_EXPLORE_RACES_H
#define MZ_EXPLORE_RACES_H

#include "explore/search.h"

/* Look at the races of all events that are new since the last leaf, at the races whose reversal may
 * change a footprint (old ones too), and at every operation that waits. Adds to backtrack sets. */
void mz_reverse_races(mz_search *search);

#endif
