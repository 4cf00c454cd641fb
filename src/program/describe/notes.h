/* What is to be known of the executions of a program (notes.c). */
#ifndef MZ_PROGRAM_DESCRIBE_NOTES_H
#define MZ_PROGRAM_DESCRIBE_NOTES_H

#include "program/world/world.h"

void mz__note_status(int status, uintptr_t pc);
void mz__note_abort(uintptr_t pc);
/* An execution has come to its end. */
void mz__note_end(void);
/* The search begins: ends that came before do not count. */
void mz__forget_ends(void);
void mz__note_assumption(uintptr_t pc, bool holds);

#endif
