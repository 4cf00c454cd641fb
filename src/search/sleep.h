/* Sleep sets (Godefroid): a thread sleeps while everything that starts with its pending operation has
 * been explored from an earlier sibling; an operation that conflicts with it wakes it up. */
#ifndef MZ_SEARCH_SLEEP_H
#define MZ_SEARCH_SLEEP_H

#include "search/search.h"

/* Those of the threads that the operation just executed does not wake. The machine is in the state after it:
 * by promise (1) of machine.h the answer is the same as in the state before. */
mz_threads mz_still_asleep(mz_machine *machine, mz_threads threads, const mz_operation *executed);

/* Those that sleep at the node or have been explored from it, unless the operation just executed wakes them.
 */
mz_threads mz_sleep_after(mz_search *search, mz_node *node, uint32_t thread, const mz_operation *executed);

#endif
