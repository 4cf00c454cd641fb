/* Algorithms that sample, on all processors: one worker for each of several seeds. What they draw has nothing
 * to do with each other, so nothing is handed over. */
#ifndef MZ_SESSION_LARGE_SEEDS_H
#define MZ_SESSION_LARGE_SEEDS_H

#include "session/process/supervisor.h"
#include "session/settings/settings.h"

/* A worker's work with these settings: a check of one algorithm. */
typedef void mz_seed_work(const void *context, const mz_settings *settings, mz_shared *shared);

/* With how many workers is it to be searched? 0: not in this way. */
uint32_t mz_seed_workers(const mz_settings *settings, const mz_algorithm *algorithm);

/* Waits for all of them. What the one has left that has found an error after the fewest executions, the
 * lowest seed of several, or the one whose process has come to an end; the counts are those of all together.
 * *error set, as mz_run_worker() does. */
mz_shared *mz_run_seeds(uint32_t workers, mz_seed_work *work, const void *context,
                        const mz_settings *settings, double limit, mz_ending *ending, mz_error *error);

#endif
