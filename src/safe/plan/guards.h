/* Learning guards: from a table, which plan each valuation of the inputs has, to a small tree of comparisons
 * that says the same of every row (wire/symbolic_format.h). */
#ifndef MZ_SAFE_PLAN_GUARDS_H
#define MZ_SAFE_PLAN_GUARDS_H

#include "safe/plan/symbolic.h"

/* A row: the inputs that this valuation has, and the number of its plan. */
typedef struct mz_guard_row {
    mz_valuation valuation;
    uint32_t ranks[MZ_MOST_INPUTS]; /* of the inputs: so many events of the plan come before it is read */
    uint32_t plan;
} mz_guard_row;

/* Adds guards to the symbolic plan, whose inputs and plans are there; none if all rows have the same plan.
 * Rows are different valuations, as exhaustive choosing makes them: which input comes next is decided by
 * those before; and plans do not differ before an input has told their rows apart. False if more than
 * MZ_MOST_GUARDS would be needed. */
bool mz_guards_learn(mz_symbolic_plan *symbolic, const mz_guard_row *rows, size_t count);

#endif
