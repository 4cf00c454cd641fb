/* Plans of programs that read inputs on their way, against all runs that they allow.
 *
 * For every valuation of the inputs before the first event a strategy is looked for (safe/verify/strategy.h);
 * if there is none, none may be found by trying all schedules either. Its leaves become cases, which are
 * verified as safe/verify/verify.c does it, and after each search the symbolic plan of all cases
 * (safe/verify/verify_cases.h) is tried: all runs are followed that keep the rules of wire/symbolic_format.h,
 * with all values of the inputs, each of which becomes known in the step in which it is read. None may fail
 * or get stuck, by itself or by the rules, and each must be a trace that had been explored by then. When
 * nothing is constrained any more, there must be as many as there are traces. */
#ifndef MZ_ORACLE_STRATEGIES_H
#define MZ_ORACLE_STRATEGIES_H

#include "base/text.h"
#include "machine/machine.h"

typedef struct strategy_tally {
    uint64_t programs, leaves, without_strategy;
    uint64_t combinations, plans, guards,
        late_guards; /* late: that ask for what is read after the first event */
    uint64_t executions, too_large, all_verified;
} strategy_tally;

/* `traces`: how many there are, 0 if that is not known. `number`: another rule for each. Appends to *problem
 * what is wrong. False: the machine has learned something, and all is to be done again. */
bool strategies_try(mz_machine *machine, uint32_t checks, uint64_t traces, uint64_t number,
                    strategy_tally *tally, mz_text *problem);
void strategies_add(strategy_tally *tally, const strategy_tally *more);
void strategies_print(const strategy_tally *tally);

#endif
