/* Exploring observations, one execution each: what algo/rf/rf.c and algo/rf/dc.c have in common. */
#ifndef MZ_ALGO_RF_OBSERVATIONS_H
#define MZ_ALGO_RF_OBSERVATIONS_H

#include "search/search.h"

/* As long as no location is found to be loose (algo/rf/observation.h), observations are traces, and
 * `explore_traces` visits them; also, and search->is_finer is set then, if one is, and an operation that
 * waits for more than one fixed location is made to wait in a way for which there is no normal form
 * (algo/rf/rf.c). */
void mz_explore_observations(mz_search *search, bool only_trees, void (*explore_traces)(mz_search *search));

#endif
