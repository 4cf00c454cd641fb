/* Exploring observations, one execution each: what algo/rf.c and algo/dc.c have in common. */
#ifndef MZ_EXPLORE_OBSERVATIONS_H
#define MZ_EXPLORE_OBSERVATIONS_H

#include "explore/search.h"

/* As long as no location is found to be loose (explore/observation.h), observations are traces, and
 * `explore_traces` visits them; also, if one is, where what an operation touches depends on what it reads
 * (other than whether it writes its location), or it waits for more than one location. */
void mz_explore_observations(mz_search *search, bool only_trees, void (*explore_traces)(mz_search *search));

#endif
