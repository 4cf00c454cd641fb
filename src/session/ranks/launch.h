/* A search that mpirun has started on several machines, or several times on one. Rank 0 is the check as it
 * always is, with workers elsewhere; the others are agents of that (agent.h). */
#ifndef MZ_SESSION_RANKS_LAUNCH_H
#define MZ_SESSION_RANKS_LAUNCH_H

#include "session/ranks/agent.h"

/* To be called first, with the arguments of main(). Returns where nobody has used mpirun, and in the process
 * that does what rank 0 is to do. */
void mz_ranks_begin(int argc, char **argv, mz_rank_explore *explore);

#endif
