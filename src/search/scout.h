/* Executions at random, beside the search. */
#ifndef MZ_SEARCH_SCOUT_H
#define MZ_SEARCH_SCOUT_H

#include "search/search.h"

/* After so many events for the first time, and whenever there are ten times as many. */
#define MZ_SCOUT_AFTER UINT64_C(20000)

/* Uses the machine and puts it back; at a node, that is with nothing half done. What goes wrong is a problem
 * of the search. */
void mz_search_scout(mz_search *search);
/* The same after so many events of a search that others make in parts: of the search at hand nothing is put
 * back. */
void mz_scout_after(mz_search *search, uint64_t events);

#endif
