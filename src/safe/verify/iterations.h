/* A plan for a program with loop boundaries: a constraint set that holds for every iteration
 * (wire/plan_format.h). For the worker of verify.h. */
#ifndef MZ_SAFE_VERIFY_ITERATIONS_H
#define MZ_SAFE_VERIFY_ITERATIONS_H

#include "safe/verify/minimise.h"
#include "session/result.h"

/* Checks the program, without constraints; *result is what comes of it. If it is safe, or there are
 * constraints under which it is, the plan has them: then true. Otherwise *obstacle says why not. */
bool mz_plan_iterations(const mz_set_job *job, mz_result *result, mz_plan *plan, mz_minimised *minimised,
                        mz_text *obstacle);

#endif
