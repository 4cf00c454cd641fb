/* Where nobody can go on (dead_ends.c). */
#ifndef MZ_PROGRAM_RUNTIME_DEAD_ENDS_H
#define MZ_PROGRAM_RUNTIME_DEAD_ENDS_H

#include "program/world/world.h"

/* Would some thread that is about to close a round in vain come to something else all the same, if it went
 * on? Then the execution is one that nobody needs. */
bool mz__somebody_gets_on(void);

#endif
