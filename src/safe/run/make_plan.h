/* A plan from beginning to end: the program is built, verified for a while, and run if that is asked for. */
#ifndef MZ_SAFE_RUN_MAKE_PLAN_H
#define MZ_SAFE_RUN_MAKE_PLAN_H

#include "report/plan_outcome.h"
#include "safe/verify/plan_settings.h"

/* `tell` is called once with what came of it, unless *error is set: the program cannot be built, or run. The
 * outcome lives no longer than that. */
void mz_make_plan(mz_plan_settings *settings, void (*tell)(void *context, mz_plan_outcome *outcome),
                  void *context, mz_error *error);

#endif
