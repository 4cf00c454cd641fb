/* All that somebody on another machine needs to explore items of a search: the command, what was learned
 * about the program (a checkpoint, in which nothing waits), and the program itself. Nothing is read from
 * files there but what options name beside the program, and what the program reads itself. */
#ifndef MZ_SESSION_RANKS_JOB_H
#define MZ_SESSION_RANKS_JOB_H

#include "pool/checkpoint.h"
#include "session/settings/settings.h"

typedef struct mz_rank_job {
    uint64_t split_every;
    mz_checkpoint saved;
    bool is_native, is_wide;
    int64_t nondet_low, nondet_high; /* as they were found to be needed */
    char *file;                      /* of a model: its name, and what stands in it */
    mz_bytes contents;               /* of a program: the shared object */
    mz_compiled compiled;            /* and what the compile step knows about it */
} mz_rank_job;

/* What is sent. `compiled`: NULL for a model, which is read from the file. */
void mz_rank_job_write(const mz_settings *settings, const mz_checkpoint *saved, const mz_compiled *compiled,
                       const char *file, mz_bytes *out);
/* Behind split_every, which stands before it. False, and an empty job, if it is none of this version. */
bool mz_rank_job_read(mz_byte_reader *reader, mz_rank_job *job);
void mz_rank_job_release(mz_rank_job *job);

#endif
