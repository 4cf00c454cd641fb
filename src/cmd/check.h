/* For commands that end in a check. */
#ifndef MZ_CMD_CHECK_H
#define MZ_CMD_CHECK_H

#include "cmd/request/request.h"
#include "pool/checkpoint.h"
#include "session/ranks/agent.h"

/* Does what was asked for, and prints it; `argv` is all of the command line. The exit code. */
int mz_check_and_print(const char *command, mz_request *request, char **argv, mz_error *error);

/* The same of `mazurka clients`, with these words; `saved`: go on with that, and save it at `path`; NULL:
 * from the beginning. */
int mz_clients_and_print(const char *command, int count, char **words, char **argv,
                         const mz_checkpoint *saved, const char *path, mz_error *error);

/* What a process of another rank does. */
mz_rank_explore mz_explore_for_rank;

#endif
