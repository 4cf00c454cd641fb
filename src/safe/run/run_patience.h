/* How long a process has been at it, on a machine that others use, too. */
#ifndef MZ_SAFE_RUN_RUN_PATIENCE_H
#define MZ_SAFE_RUN_RUN_PATIENCE_H

#include <stdbool.h>
#include <sys/types.h>

/* Until the process ends, which is not waited for. False: it has had so many seconds of its own, or ten times
 * as many have passed. What it waited for a processor does not count; what it slept, or waited for itself,
 * does. */
bool mz_run_ends_within(pid_t process, double seconds);

#endif
