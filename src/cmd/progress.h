/* The line that changes while a long check runs: on a terminal only. */
#ifndef MZ_CMD_PROGRESS_H
#define MZ_CMD_PROGRESS_H

#include "explore/limits.h"

void mz_progress_show(void *context, const mz_progress *progress); /* a progress callback */
void mz_progress_erase(void);

#endif
