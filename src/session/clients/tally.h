/* What several clients were found to be, together: a value that is added up, sent between processes, and
 * saved. */
#ifndef MZ_SESSION_CLIENTS_TALLY_H
#define MZ_SESSION_CLIENTS_TALLY_H

#include "base/bytes.h"
#include "session/result.h"

typedef struct mz_tally {
    mz_statistics statistics;
    size_t checked;                /* clients that were explored to their end, or fail */
    size_t open, bounded, sampled; /* incomplete ones; of these, for no other reason than a bound, a sample */
    char *reason;                  /* of the first of these; NULL: there is none */
    bool is_late;                  /* the time limit has ended the last one */
    /* Of their reports. */
    uint32_t threads;
    uint64_t peak_bytes;
    uint32_t checks, refined, memory;
    bool is_memory_found;
    uint32_t algorithm, equivalence; /* which one of the list, from 1; 0: no client was explored */
} mz_tally;

/* Of one client, the number-th, from 1. `left`: why not all of its executions were followed to their ends;
 * "": they were, as far as the search itself can tell. */
mz_tally mz_tally_of(size_t number, const mz_result *result, const char *left);
/* Of later clients. */
void mz_tally_add(mz_tally *tally, const mz_tally *later);
void mz_tally_write(const mz_tally *tally, mz_bytes *out);
void mz_tally_read(mz_byte_reader *reader, mz_tally *tally);
void mz_tally_release(mz_tally *tally);
/* As a report about all of them, whose counts are put there. */
void mz_tally_tell(const mz_tally *tally, const mz_settings *settings, mz_report_count *counts,
                   mz_report *report);

#endif
