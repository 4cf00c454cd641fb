/* Canonical trace identity: equal exactly for equivalent executions.
 *
 * A trace is determined by its set of events, each with its thread, its number in the thread, what
 * happens before it (its clock) and the choices made in it: from these the partial order can be read
 * off, and the footprints follow, the program being deterministic. Equivalent executions have the same
 * set, inequivalent ones do not. The hash adds up the hashes of the elements (a set has no order). */
#ifndef MZ_MACHINE_IDENTITY_H
#define MZ_MACHINE_IDENTITY_H

#include "base/hash.h"
#include "base/text.h"
#include "machine/execution.h"

/* Needs an execution that tracks the order. */
mz_hash mz_identity(const mz_execution *execution);
/* The same event by event: before the first one, and with the one at the position, after all before it. */
mz_hash mz_identity_of_nothing(const mz_execution *execution);
mz_hash mz_identity_with(mz_hash trace, const mz_execution *execution, uint32_t position);

/* The same in full, readable: one line per thread with clocks, footprints and choices of its events. */
void mz_identity_write(const mz_execution *execution, mz_text *out);

#endif
