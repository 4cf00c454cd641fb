/* For commands that end in a check. */
#ifndef MZ_CMD_CHECK_H
#define MZ_CMD_CHECK_H

#include "cmd/request/request.h"
#include "session/ranks/agent.h"

/* Does what was asked for, and prints it; `argv` is all of the command line. The exit code. */
int mz_check_and_print(const char *command, mz_request *request, char **argv, mz_error *error);

/* What a process of another rank does. */
mz_rank_explore mz_explore_for_rank;

#endif
