/* Trace constraint systems solved by an SMT solver, as in the first variant of LazyPOR: places in the order
 * are integers, constraints are inequalities. Z3's library is loaded when it is asked for, so that nobody
 * else waits for it. */
#ifndef MZ_ALGO_LAZY_SMT_H
#define MZ_ALGO_LAZY_SMT_H

#include "algo/sections/constraints.h"

typedef struct mz_smt mz_smt;

/* Built with Z3, and its library is there? */
bool mz_smt_is_available(void);
/* NULL if it is not available. */
mz_smt *mz_smt_create(void);
void mz_smt_destroy(mz_smt *smt);

/* A solution of what is decided: every constraint. False if the solver finds none. */
bool mz_smt_solve(mz_smt *smt, const mz_constraints *constraints, uint32_t *word);

#endif
