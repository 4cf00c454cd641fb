/* More than 64 threads: another executable, compiled from the same sources with larger sets
 * (machine/threads.h).
 */
#ifndef MZ_SESSION_PROCESS_WIDE_H
#define MZ_SESSION_PROCESS_WIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "program/build/compile.h"

/* How this process was started. */
void mz_wide_arguments(char **argv);
/* When the check has begun (mz_seconds_now): now, or when the one began that gave way to us. It is handed on.
 */
double mz_wide_begun(void);
/* The next check of this process begins now. */
void mz_wide_begin_again(void);
/* Of several checks in one process: the results of so many have been printed. Who takes our place makes those
 * again, but does not print them. */
void mz_wide_has_told(size_t checks);
size_t mz_wide_told_before(void);
/* What is to be removed when it gives way to the other one; NULL: nothing any more. */
void mz_wide_leaves(mz_compiled *compiled);
/* Do the same with the other one. Returns if it is not there, or if this is the one. */
void mz_go_wide(void);

#endif
