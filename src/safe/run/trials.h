/* What is found out about a program by running it before it is verified, or while it is: only if the user has
 * asked for it (--first-trace=free-run, --tune, --overhead), because whatever the program does to the world
 * it then does several times. */
#ifndef MZ_SAFE_RUN_TRIALS_H
#define MZ_SAFE_RUN_TRIALS_H

#include "safe/run/run.h"
#include "safe/verify/verify.h"

typedef struct mz_trials {
    mz_plan_settings *settings; /* of the verification: which trace is to be the first is decided here */
    mz_runnable *runnable;
    const char *command;        /* whose messages these are: "run" */
    mz_record_header *free_run; /* NULL: none */
    int descriptor;
} mz_trials;

/* Are there any? Then the program has to be one that can be run. */
bool mz_trials_wanted(const mz_plan_settings *settings);

/* Before the verification. False and *error set if the program does not run. */
bool mz_trials_begin(mz_trials *trials, const char *command, mz_plan_settings *settings,
                     mz_runnable *runnable, mz_error *error);
/* While it goes on, for --overhead: returns when the program, kept to the plan that there is then, is not
 * slower than that; or when it will not become so, because the verification is over; or when a signal has
 * come. (The verification rests while the program runs.) False and *error set if the program does not run. */
bool mz_trials_wait(mz_trials *trials, mz_verification *verification, mz_error *error);
/* The same in a process of its own, which then ends the verification; 0: none is needed. */
pid_t mz_trials_watch(mz_trials *trials, mz_verification *verification, mz_error *error);
/* The verification is over: waits for that process. */
void mz_trials_end_watching(pid_t watcher, const mz_verification *verification, mz_error *error);
void mz_trials_end(mz_trials *trials);

#endif
