/* Loop boundaries: where the executions of a program that does not end are closed (loop_closing.c). */
#ifndef MZ_SEARCH_LOOP_CLOSING_H
#define MZ_SEARCH_LOOP_CLOSING_H

#include "search/search.h"

/* The machine is at a loop boundary (status->boundary). True if it has been at one in this state before, so
 * that the execution need not be followed any further. Ends the search if there are too many states. */
bool mz_boundary_closes(mz_search *search);

#endif
