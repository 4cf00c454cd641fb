/* Threads that wait in a loop of their own (spin.c). */
#ifndef MZ_PROGRAM_LOOPS_SPIN_H
#define MZ_PROGRAM_LOOPS_SPIN_H

#include "program/world/world.h"

/* Returns true, so that it can be called last. */
bool mz__look_for_spinning(mz__thread *thread);
/* The operation has read this: while it stays so, the same loop does the same again. */
void mz__note_read(uintptr_t address, uint32_t size);
/* It has written what was there: a loop that does so goes on as long as that stays. */
void mz__has_written_same(uintptr_t address, uint32_t size);
/* It has read plain data, outside of its stack. */
void mz__note_plain_read(uintptr_t address, uint32_t size);
/* It is about to write plain data, which may be what is there already. */
void mz__note_plain_write(uintptr_t address, uint32_t size, uint32_t cell);
/* What it has written plainly before it comes to an operation: was it something else? */
void mz__settle_write(mz__thread *thread);
/* What an atomic section is about to read or write. */
void mz__note_before_section(uintptr_t address, uint32_t size, const uint32_t *cells, uint32_t count);
/* It has come to the end of one: has that changed anything? */
void mz__look_for_progress(mz__thread *thread);
bool mz__has_changed(const mz__thread *thread);
/* The running thread is about to choose, and has chosen in this very state before: nothing came of it. */
bool mz__chose_spinning(void);
void mz__count_iteration(mz__thread *thread);
/* Where --unroll has cut what threads do. */
void mz__describe_cuts(mz_text *out);
/* For other processes, and from them (testimony.c). */
void mz__write_cuts(mz_bytes *out);
void mz__hear_cuts(mz_byte_reader *reader);

#endif
