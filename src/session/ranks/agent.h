/* On another rank: explores items for a coordinator that is elsewhere. The agent starts a process for each
 * job, which loads the program and searches (a worker, pool/pool.h), and stays alive whatever the program
 * does to that. */
#ifndef MZ_SESSION_RANKS_AGENT_H
#define MZ_SESSION_RANKS_AGENT_H

#include "pool/pool.h"
#include "session/process/supervisor.h"
#include "session/ranks/job.h"

/* In the process of a job: explores what comes, and does not return while items do. */
typedef void mz_rank_explore(const mz_rank_job *job, const mz_pool_home *home, mz_shared *shared);

/* Until nobody is at the other end of the channel. */
_Noreturn void mz_agent_serve(int channel, mz_rank_explore *explore);

#endif
