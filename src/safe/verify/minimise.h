/* Fewer constraints for a plan: a constraint set of which nothing can be left out (safe/plan/small_set.h),
 * each candidate verified by exploring the program under it. For the worker of verify.h. */
#ifndef MZ_SAFE_VERIFY_MINIMISE_H
#define MZ_SAFE_VERIFY_MINIMISE_H

#include "safe/plan/plan.h"
#include "safe/plan/small_set.h"
#include "session/settings/settings.h"

/* A valuation of the inputs that are read before the first event. */
typedef struct mz_start {
    const mz_choice *inputs;
    size_t input_count;
} mz_start;

/* What is to be verified. */
typedef struct mz_set_job {
    const mz_settings *settings;
    mz_machine *machine;
    const mz_start *starts; /* for each of these */
    size_t start_count;     /* 0: for all that there are */
    double deadline;        /* as of mz_seconds_now(); 0: none */
    /* Plain accesses may be counted otherwise when the program runs (mz_compiled_compares_addresses): what a
     * set names has to be something that can be compared then. */
    bool compares_addresses;
} mz_set_job;

/* The plan has all events of its trace. */
void mz_minimise_plan(const mz_set_job *job, mz_plan *plan, mz_minimised *result);
/* The plan is a constraint set: is it enough? Then what it says of its events holds in all that it allows. */
bool mz_set_is_enough(const mz_set_job *job, mz_plan *plan, mz_minimised *result);

#endif
