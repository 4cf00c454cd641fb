/* Constraint sets against all executions that keep them.
 *
 * The executions of a program are run one by one (one of each canonical prefix), an operation that an edge
 * leads to only after what it comes from: by names alone, as the runtime does it. That is compared with what
 * an algorithm finds on the machine of safe/plan/constrained.h: with random edges, which executions there
 * are; and of the set that is left of a plan when all has been left out that can be, that none of its
 * executions fails or gets stuck, and that some do without any one of its edges. */
#ifndef MZ_ORACLE_SETS_H
#define MZ_ORACLE_SETS_H

#include "base/text.h"
#include "machine/machine.h"
#include "safe/plan/small_set.h"

typedef struct set_tally {
    uint64_t compared, executions, given_up;                    /* random sets */
    uint64_t minimised, edges_before, edges_after, not_minimal; /* not_minimal: that cannot be told */
    uint64_t for_valuations, beside_prefixes; /* beside: compared with what prefixes allow */
    uint64_t refused, too_large;
} set_tally;

void sets_add(set_tally *tally, const set_tally *more);
void sets_print(const set_tally *tally);

/* Both append to *problem what is wrong. False: the machine has learned something, and all is to be done
 * again. */
bool sets_compare(mz_machine *machine, uint32_t checks, uint64_t seed, set_tally *tally, mz_text *problem);
/* For executions that begin with this valuation of the choices before the first event, or for all (NULL).
 * *found: the set, which is empty if there is none; to be released. */
bool sets_minimise(mz_machine *machine, uint32_t checks, const mz_plan *plan, const mz_choices *valuation,
                   mz_edges *found, set_tally *tally, mz_text *problem);

#endif
