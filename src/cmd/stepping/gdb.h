/* `mazurka replay --gdb`: a counterexample under a debugger. */
#ifndef MZ_CMD_STEPPING_GDB_H
#define MZ_CMD_STEPPING_GDB_H

#include "base/error.h"

/* Starts gdb on the replay of the file, at the step (from 1; NULL: where it fails), and waits for its end.
 * The exit code is gdb's. */
int mz_gdb_run(const char *file, const char *step, mz_error *error);

#endif
