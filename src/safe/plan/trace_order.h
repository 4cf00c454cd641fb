/* A trace has many orders; which one a search follows decides what it verifies first. */
#ifndef MZ_SAFE_PLAN_TRACE_ORDER_H
#define MZ_SAFE_PLAN_TRACE_ORDER_H

#include "machine/execution.h"
#include "safe/plan/plan.h"

/* Positions in the trace, order[|T|], in an order that agrees with happens-before; the first `fixed` ones
 * stay where they are. The plan is as extracted from the trace, and its threads' births are known. */
void mz_plan_order(const mz_plan *plan, const mz_execution *trace, uint32_t fixed, uint32_t processors,
                   uint32_t *order);

#endif
