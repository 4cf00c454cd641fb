/* Threads that are outside of the program (outside.c), at loop boundaries. */
#ifndef MZ_PROGRAM_RUNTIME_BOUNDARY_COMING_BACK_H
#define MZ_PROGRAM_RUNTIME_BOUNDARY_COMING_BACK_H

#include "machine/threads.h"

/* A boundary is opened, at which these threads are: which of them have not come back yet? They are chosen. */
mz_threads mz__who_stays_outside(mz_threads at_boundary);

#endif
