/* Blocks that nobody can free any more (leaks.c). */
#ifndef MZ_PROGRAM_MACHINE_LEAKS_H
#define MZ_PROGRAM_MACHINE_LEAKS_H

#include "program/world/world.h"

/* The program has ended: reports what is lost. */
void mz__look_for_leaks(void);
/* Can what is at the location be, or be part of, a pointer? */
bool mz__may_refer_to_blocks(uint32_t cell);

#endif
