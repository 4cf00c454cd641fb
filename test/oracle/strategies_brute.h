/* Is there a strategy (safe/verify/strategy.h)? All schedules are tried, without sleep sets: only for small
 * programs. */
#ifndef MZ_ORACLE_STRATEGIES_BRUTE_H
#define MZ_ORACLE_STRATEGIES_BRUTE_H

#include "machine/machine.h"

/* With these values of the inputs before the first event. Not to be relied on if machine->begin_again is set.
 * False, too, if that would take too long. */
bool strategy_exists(mz_machine *machine, const mz_choice *inputs, size_t count);

#endif
