/* Checking a real program: compiled, loaded into a worker process, searched there. */
#ifndef MZ_CMD_NATIVE_H
#define MZ_CMD_NATIVE_H

#include "cmd/settings.h"

/* The exit code; *error set if the program cannot be built. */
void mz_without_randomisation(char **argv);
int mz_check_native(const mz_settings *settings, mz_error *error);

#endif
