/* What it costs to keep a program to a plan, roughly: to choose among plans before any of them is tried. */
#ifndef MZ_SAFE_PLAN_COST_H
#define MZ_SAFE_PLAN_COST_H

#include "machine/execution.h"
#include "safe/plan/plan.h"

/* The time, in about nanoseconds, that the program takes on so many processors if those of its events are
 * kept to the plan that are `inside` ([|T|], closed under happens-before; NULL: all). The plan is as
 * extracted from the trace, and its threads' births are known. */
double mz_plan_cost(const mz_plan *plan, const mz_execution *trace, const bool *inside, uint32_t processors);

#endif
