/* A program under constraints, as a program: every algorithm can explore it.
 *
 * A *constraint set* C is a set of edges between names (wire/plan_format.h): the operation (thread, count)
 * that an edge leads to begins only after the one it comes from is over. There is no prefix, and no rule for
 * any other operation: one that no edge leads to never waits. P_C is the program P with these waits, and this
 * machine is P_C, given the machine of P. */
#ifndef MZ_SAFE_PLAN_CONSTRAINED_H
#define MZ_SAFE_PLAN_CONSTRAINED_H

#include "machine/machine.h"
#include "wire/plan_format.h"

typedef struct mz_edge {
    mz_plan_wait from, to;
} mz_edge;

/* Threads have the numbers that they have in `inner`, which stays the caller's, and must not be used for
 * anything else between a reset of this one and the last call of it. With counts_accesses plain accesses are
 * counted, too. Released by class->destroy. */
mz_machine *mz_constrain(mz_machine *inner, const mz_edge *edges, size_t count, bool counts_accesses);
/* Call this whenever a thread has come to an operation that an edge names: it is the one that is pending in
 * `inner`.
 */
void mz_constrained_watch(mz_machine *machine, void (*watch)(void *context, uint32_t thread, uint32_t count),
                          void *context);

#endif
