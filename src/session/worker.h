/* What a worker does for a check: one algorithm on one program. */
#ifndef MZ_SESSION_WORKER_H
#define MZ_SESSION_WORKER_H

#include "session/program.h"

typedef struct mz_check_job {
    const mz_settings *settings;
    const mz_compiled *compiled;
    const mz_algorithm *algorithm;
    double begun;        /* since when its time is counted */
    const char *program; /* its hash; NULL: not known, and nothing is saved */
} mz_check_job;

/* What has led to the end of a very long execution is no more than that it is long: it is not told. */
enum { MZ_MOST_STEPS_TOLD = 1000 };

/* 0: there is none. */
double mz_check_deadline(const mz_check_job *job);

/* For mz_run_worker: searches, and leaves a report. */
void mz_worker_check(const void *job, mz_shared *shared);

/* What led to where a worker was last heard of (one of its flights), told by another one; NULL if that cannot
 * be told. */
mz_report_error *mz_tell_steps(const mz_check_job *job, const mz_shared *gone, const mz_flight *flight,
                               const char *message);

#endif
