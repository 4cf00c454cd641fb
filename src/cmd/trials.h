/* What is found out about a program by running it before it is verified, or while it is: only if the user has
 * asked for it (--first-trace=free-run, --tune, --overhead), because whatever the program does to the world
 * it then does several times. */
#ifndef MZ_CMD_TRIALS_H
#define MZ_CMD_TRIALS_H

#include "cmd/run.h"

typedef struct mz_trials {
    mz_settings *settings; /* of the verification: which trace is to be the first is decided here */
    mz_runnable *runnable;
    mz_record_header *free_run; /* NULL: none */
    int descriptor;
} mz_trials;

/* Are there any? Then the program has to be one that can be run. */
bool mz_trials_wanted(const mz_settings *settings);

/* Before the verification. False and *error set if the program does not run. */
bool mz_trials_begin(mz_trials *trials, mz_settings *settings, mz_runnable *runnable, mz_error *error);
void mz_trials_end(mz_trials *trials);

#endif
