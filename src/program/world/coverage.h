/* --coverage: what ran beside what, and which accesses came in which order. Steps are noted as they are made;
 * those that are taken back are overwritten. What was found out is kept in memory that all processes share.
 */
#ifndef MZ_PROGRAM_WORLD_COVERAGE_H
#define MZ_PROGRAM_WORLD_COVERAGE_H

#include "machine/history.h"
#include "machine/threads.h"
#include "program/world/thread.h"

enum {
    MZ__COVERED_STEPS = 1 << 14,
    MZ__COVERED_PAIRS = 1 << 16,
    MZ__COVERED_ACCESSES = 4, /* of a step: no operation of a library has more that matter */
    MZ__COVERED_OPERATIONS = 128,
};

typedef struct mz__covered_step {
    uint32_t thread, call; /* which call of the thread's client, from 1; 0: none */
    uintptr_t pc;
    uint32_t access_count;
    mz_access accesses[MZ__COVERED_ACCESSES];
} mz__covered_step;

/* Shared: sets with open addressing; an entry never changes once it is there. */
typedef struct mz__covered {
    uint64_t pairs[MZ__COVERED_PAIRS]; /* two places in the code, as distances from its beginning; 0: free */
    uint64_t places[MZ__COVERED_PAIRS / 16]; /* a place where somebody was beside a call that had begun */
    uint64_t others[MZ__COVERED_PAIRS / 16]; /* a place where a step was made within a call */
    bool beside[MZ__COVERED_OPERATIONS][MZ__COVERED_OPERATIONS];
} mz__covered;

typedef struct mz__covering {
    mz__covered *covered;
    uintptr_t code;
    uint32_t call[MZ_MAX_THREADS];           /* in which each thread is: its number, from 1; on the trail */
    uint32_t operation[MZ_CLIENT_CALLS + 1]; /* of these calls; on the trail */
    uint32_t room[4];                        /* what is saved is rounded up */
    mz__covered_step steps[MZ__COVERED_STEPS];
} mz__covering;

#endif
