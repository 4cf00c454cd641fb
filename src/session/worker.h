/* Real programs: compiled, loaded into a worker process, checked or run again there. */
#ifndef MZ_SESSION_WORKER_H
#define MZ_SESSION_WORKER_H

#include <sys/types.h>

#include "cmd/settings.h"
#include "program/build/compile.h"
#include "program/runtime/program.h"
#include "report/report.h"

/* Addresses are to be the same in every run: begin again without address randomisation, where that is
 * allowed. */
void mz_without_randomisation(char **argv);

/* The exit code; *error set if the program cannot be built. */
int mz_check_native(const mz_settings *settings, mz_error *error);

/* ---- what checking and replaying share -------------------------------------------------------------------
 */

/* What a worker leaves behind, in memory that both processes see at the same address. */
typedef struct mz_shared {
    mz_report report;
    bool finished;
    bool gave_up;                 /* … because the program cannot be followed where it was last heard of */
    const char *stuck;            /* why a thread was left on the way; NULL: none was */
    const void *result;           /* of work that makes no report */
    char message[512];            /* why it could not begin */
    const char *threads, *places; /* for counterexample files; NULL if it did not come so far */
    int64_t nondet_low, nondet_high; /* the range of nondeterministic numbers in the end */
    double limit;                    /* seconds after which its time is over; 0: none */
    mz_flight flight;                /* where it was when it was last heard of */
    mz_flight stuck_way;             /* … and when a thread was left for the first time */
    size_t used;
    char bytes[];
} mz_shared;

#define MZ_SHARED_BYTES ((size_t)1 << 30) /* of address space: memory is taken as it is used */
/* NULL if there is no more room. */
void *mz_share_bytes(mz_shared *shared, const void *bytes, size_t size);
const char *mz_share_text(mz_shared *shared, const char *text);
/* What a counterexample file has to say about the program. */
void mz_share_ground(const mz_machine *machine, mz_shared *shared);
/* The worker's result: with this it has finished. */
void mz_share_report(mz_shared *shared, const mz_report *report);

/* To be released with mz_compiled_release, after the error has been printed. */
bool mz_native_build(const mz_settings *settings, mz_compiled *compiled, mz_error *error);
/* The compiler took all of the time (error->out_of_time): that is printed as the result. The exit code. */
int mz_report_late_build(const mz_settings *settings, double seconds, mz_error *error);
/* In a worker; NULL and the message set if it cannot be loaded. */
mz_machine *mz_native_load(const mz_settings *settings, const mz_compiled *compiled, mz_shared *shared);
/* Forks, lets the child do the work, waits. If it has left neither a report nor a message, *end says how it
 * went, and *was_stuck whether we had to end it. NULL and *error set if there is not even a worker. */
mz_shared *mz_run_worker(void (*work)(const void *context, mz_shared *shared), const void *context,
                         double limit, mz_text *end, bool *was_stuck, mz_error *error);
/* The same without waiting; *worker < 0 if it could not be forked. */
mz_shared *mz_start_worker(void (*work)(const void *context, mz_shared *shared), const void *context,
                           double limit, pid_t *worker, mz_error *error);
/* … and then the waiting. */
void mz_finish_worker(mz_shared *shared, pid_t worker, mz_text *end, bool *was_stuck, mz_error *error);
void mz_shared_release(mz_shared *shared);

#endif
