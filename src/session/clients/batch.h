/* Some clients that follow each other, explored by one process, which is a copy of one that has loaded the
 * program and explored the first few. What comes of them is a function of that process and of these clients:
 * not of other batches, nor of who was faster.
 *
 * For that it matters what a process knows about the program (what its threads share, where it spins: the
 * number of events depends on it). How the calls behave alone is found out by a copy of the copy, so that
 * nobody learns about the program from that: which of these sequences others have run already is a matter of
 * time. */
#ifndef MZ_SESSION_CLIENTS_BATCH_H
#define MZ_SESSION_CLIENTS_BATCH_H

#include "session/clients/clients.h"
#include "session/clients/tally.h"
#include "session/learn.h"

/* What is needed of the worker in which clients are explored. */
typedef struct mz_client_host {
    void *worker;
    mz_settings *settings;
    mz_machine *machine;
    mz_shared *shared;
    mz_result *result; /* of the last search */
    mz_attempt *search;
    void (*move)(void *worker, mz_shared *shared); /* it is a copy, and tells what it finds there */
    void (*finish)(void *worker);                  /* there is a result */
    const bool *refused;                           /* there is none, and a message says why */
    double deadline;                               /* 0: there is none */
} mz_client_host;

typedef enum mz_batch_end {
    MZ_BATCH_WAITS,
    MZ_BATCH_RUNS,
    MZ_BATCH_DONE,    /* all were explored */
    MZ_BATCH_STOPPED, /* a limit, or somebody, has ended the last one of these that were */
    MZ_BATCH_FAILED,  /* the last one fails, which is told */
    MZ_BATCH_REFUSED, /* it cannot be checked; a message says why */
} mz_batch_end;

typedef struct mz_batch {
    size_t first, count; /* of the list of clients */
    mz_batch_end end;
    mz_tally tally;
    uint32_t killed;  /* how often somebody has ended its process */
    mz_tally stopped; /* of the client that was not explored to its end, if there is one */
} mz_batch;

/* In this process, as far as it goes. What was checked before, and stands in its tally, is left out. */
void mz_batch_check(mz_batch *batch, mz_client_host *host);
/* The client that fails is what the report is about. */
void mz_batch_tell_failure(const mz_client_plan *plan, mz_client_host *host);

/* A process for it (mz_start_worker), the asker-th of those that ask the specification. It leaves what
 * mz_batch_take reads: false if it left nothing. */
typedef struct mz_batch_work {
    const mz_batch *batch;
    mz_client_host *host;
    uint32_t asker;
    const volatile uint32_t *allowed_jobs;
} mz_batch_work;

mz_work mz_batch_explore;
bool mz_batch_take(mz_batch *batch, mz_client_host *host, const mz_shared *left);

#endif
