/* Constraint sets instead of prefixes, for all cases of a program (verify_cases.h).
 *
 * Cases whose plans ask the same of an execution share a set: it is enough for each of their valuations.
 * Which set applies is said by guards, as it is of plans. */
#ifndef MZ_SAFE_VERIFY_VERIFY_SETS_H
#define MZ_SAFE_VERIFY_VERIFY_SETS_H

#include "safe/verify/minimise.h"
#include "safe/verify/verify_cases.h"

/* All cases are offered. Those for which a set is found have it as their plan from now on, and lead, or
 * follow, accordingly; the others keep their prefixes. *result is about all of them together: has_set if
 * there is any, and the reason why one has none. Of the job the starts are not looked at. */
void mz_cases_minimise(mz_cases *cases, const mz_set_job *job, mz_minimised *result);

#endif
