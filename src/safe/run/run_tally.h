/* How many runs of a program went. */
#ifndef MZ_SAFE_RUN_RUN_TALLY_H
#define MZ_SAFE_RUN_RUN_TALLY_H

#include "base/text.h"
#include "wire/plan_format.h"
#include "wire/record.h"

typedef struct mz_run_tally {
    mz_text difference; /* the first order that was not allowed */
    uint64_t different;
    uint64_t *traces;
    size_t trace_count, trace_capacity;
    uint64_t endings[512]; /* by exit code; 256 + signal */
    uint64_t under_set;    /* begun under a constraint set that was found meanwhile */
    uint64_t waits[MZ_PLAN_MOST_THREADS];
} mz_run_tally;

/* What one of them has recorded. */
void mz_run_tally_add(mz_run_tally *tally, const mz_record_header *record);
void mz_run_tally_print(mz_run_tally *tally, uint64_t runs, bool has_plan);
void mz_run_tally_release(mz_run_tally *tally);

#endif
