/* `mazurka replay --step`: through a counterexample, forward and backward. */
#ifndef MZ_CMD_STEPPING_STEP_H
#define MZ_CMD_STEPPING_STEP_H

#include "report/report.h"

/* Keys from a terminal, or else commands line by line from standard input. */
void mz_step_through(const mz_report *report, mz_style style);

#endif
