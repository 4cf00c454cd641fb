/* In the process of a job: the program is loaded, and items are explored as they come. */
#ifndef MZ_SESSION_RANKS_EXPLORE_H
#define MZ_SESSION_RANKS_EXPLORE_H

#include "pool/pool.h"
#include "session/process/supervisor.h"
#include "session/ranks/job.h"

/* `settings`: those of the command. Returns where that cannot be. */
void mz_explore_job(const mz_rank_job *job, mz_settings *settings, const mz_pool_home *home,
                    mz_shared *shared);

#endif
