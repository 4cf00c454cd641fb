/* Order the events of a counterexample so that a person can follow it: with the fewest context switches. */
#ifndef MZ_SEARCH_WITNESS_ARRANGE_H
#define MZ_SEARCH_WITNESS_ARRANGE_H

#include "machine/execution.h"

/* Writes the positions of the selected events into `order`, in an order equivalent to the execution's, and
 * returns how many they are. The unselected events of a thread must be its last ones. keep_last: the
 * execution's last event is to come last, if it is selected: something happens in it that does not depend on
 * it alone. */
size_t mz_arrange(const mz_execution *execution, const bool *selected, bool keep_last, uint32_t *order);

#endif
