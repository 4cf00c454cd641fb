/* Worker processes, and the memory in which they leave their results. */
#ifndef MZ_SESSION_PROCESS_SUPERVISOR_H
#define MZ_SESSION_PROCESS_SUPERVISOR_H

#include <sys/types.h>

#include "base/error.h"
#include "program/program.h"
#include "report/report.h"

/* What a worker leaves behind, in memory that both processes see at the same address. */
typedef struct mz_shared {
    mz_report report;
    bool finished;
    bool was_stuck; /* the worker has ended a process of its own that was stuck */
    bool gave_up;   /* it has given up: the program cannot be followed where the worker was last heard of */
    const char *stuck;               /* why a thread was left on the way; NULL: none was */
    size_t client;                   /* the one that was checked last */
    const char *client_word;         /* and what it is, if it was found to be wrong: mz_client_word */
    const void *result;              /* of work that makes no report */
    char message[512];               /* why it could not begin */
    const char *threads, *places;    /* for counterexample files; NULL if it did not come so far */
    const char *sources;             /* the same, a line each; NULL if none is to be written */
    int64_t nondet_low, nondet_high; /* the range of nondeterministic numbers in the end */
    double limit;                    /* seconds after which its time is over; 0: none */
    mz_flight flight;                /* where it was when it was last heard of */
    mz_flight stuck_way;             /* where it was when a thread was left for the first time */
    size_t used;
    char bytes[];
} mz_shared;

#define MZ_DEBUG_VARIABLE "MAZURKA_DEBUG"   /* in the environment: a debugger follows */
#define MZ_SHARED_BYTES   ((size_t)1 << 30) /* of address space: memory is taken as it is used */
/* NULL if there is no more room. */
void *mz_share_bytes(mz_shared *shared, const void *bytes, size_t size);
const char *mz_share_text(mz_shared *shared, const char *text);
/* Why it does not begin. */
void mz_share_refusal(mz_shared *shared, const mz_error *error);
/* The worker's result: with this it has finished. */
void mz_share_report(mz_shared *shared, const mz_report *report);

typedef void mz_work(const void *context, mz_shared *shared);

/* How a worker has ended. */
typedef struct mz_ending {
    mz_text words;  /* if it has left neither a report nor a message */
    bool was_ended; /* we had to, or somebody else did: it did not come to that by itself */
} mz_ending;

/* Has the process used much processor time without a sign of life? Its pulse now, and when it was last seen
 * to change, by the processor time of the process. */
bool mz_is_without_life(pid_t process, uint64_t pulse, uint64_t *last_pulse, double *last_sign);

/* Forks, lets the child do the work, waits. NULL and *error set if there is not even a worker, or it could
 * not begin. */
mz_shared *mz_run_worker(mz_work *work, const void *context, double limit, mz_ending *ending,
                         mz_error *error);
/* The same without waiting; *worker < 0 if it could not be forked. */
mz_shared *mz_start_worker(mz_work *work, const void *context, double limit, pid_t *worker, mz_error *error);
/* Wait for a worker that was started so. */
void mz_finish_worker(mz_shared *shared, pid_t worker, mz_ending *ending, mz_error *error);
void mz_shared_release(mz_shared *shared);

/* Addresses are to be the same in every run: begin again without address randomisation, where that is
 * allowed. */
void mz_without_randomisation(char **argv);

#endif
