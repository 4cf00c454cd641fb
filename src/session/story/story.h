/* What is told of a failing execution beside its steps: a simpler one that fails alike, if there is one among
 * its neighbours; and the step with which it was decided. Both try other schedules, in a process apart: what
 * the machine knows of the program is not changed by them, and a program that does not come back does no
 * harm. The effort is bounded in events, so that the same program is told in the same way; the clock is only
 * a last resort. */
#ifndef MZ_SESSION_STORY_STORY_H
#define MZ_SESSION_STORY_STORY_H

#include "session/result.h"

/* Of all errors of the result, whose report is filled in again. Until the deadline; 0: there is none. */
void mz_story_tell(mz_result *result, mz_machine *machine, double deadline);
/* Of one counterexample that stays as it is, as when it was read from a file. */
void mz_story_decide(mz_problem *problem, mz_machine *machine);

#endif
