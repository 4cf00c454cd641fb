/* Recordings of runs that left verified ground (mazurka run --record), from which a plan is to be made. */
#ifndef MZ_SAFE_RUN_RUN_LEARN_H
#define MZ_SAFE_RUN_RUN_LEARN_H

#include "safe/run/run.h"
#include "safe/verify/plan_settings.h"

/* The recording in the file, which settings->learn names, becomes what the verification begins with: its
 * order, and its arguments if no others are given. NULL and *error set if it is none, or is of other
 * arguments. To be released with mz_release(). `names`, which is zeroed: at which lines accesses count. */
mz_record_header *mz_run_learn(mz_plan_settings *settings, mz_symbolic_plan *names, mz_error *error);
/* Would the recorded run keep to this plan, which was made from it? If not, *difference says why. */
bool mz_run_is_covered(const mz_record_header *record, const mz_symbolic_plan *names,
                       const mz_symbolic_plan *plan, mz_text *difference);

#endif
