/* Which local variables *steer*: decide where a process goes on (conditions), which cell it touches
 * (indices), whether it fails (divisors) or what it can choose (bounds), directly or by way of other local
 * variables. The static analysis of the Eager POR paper. */
#ifndef MZ_MODEL_STEERING_H
#define MZ_MODEL_STEERING_H

#include "model/ast.h"

/* Sets `steers` of the program's variables. */
void mz__find_steering(mz_program *program);
/* Does what this statement reads decide about what its process does later? */
bool mz__is_steering(const mz_statement *statement);

#endif
