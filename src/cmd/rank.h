/* Of a search that is somewhere else: what a process of another rank does (session/ranks/agent.h). */
#ifndef MZ_CMD_RANK_H
#define MZ_CMD_RANK_H

#include "session/ranks/agent.h"

mz_rank_explore mz_explore_for_rank;

#endif
