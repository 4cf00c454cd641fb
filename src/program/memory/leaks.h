/* Blocks that nobody can free any more (leaks.c). */
#ifndef MZ_PROGRAM_MEMORY_LEAKS_H
#define MZ_PROGRAM_MEMORY_LEAKS_H

#include "program/runtime/world.h"

/* The running thread ends the program, with these registers; NULL: by returning from main. */
void mz__note_exit(const mz__registers *registers);
/* The program has ended: reports what is lost. */
void mz__look_for_leaks(void);
/* Can what is at the location be, or be part of, a pointer? */
bool mz__may_refer_to_blocks(uint32_t cell);

#endif
