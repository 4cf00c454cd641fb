/* While all locations are strict, observations are traces. */
#ifndef MZ_ALGO_RF_STRICT_H
#define MZ_ALGO_RF_STRICT_H

#include "algo/rf/observation.h"
#include "search/search.h"

/* Explore traces, and look at each whether some location is loose. False if one is: the search has stopped
 * then.
 */
bool mz__explore_strictly(mz_search *search, mz_observation *observation,
                          void (*explore_traces)(mz_search *search));

#endif
