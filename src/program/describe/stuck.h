/* Threads that are left where they are (stuck.c). */
#ifndef MZ_PROGRAM_DESCRIBE_STUCK_H
#define MZ_PROGRAM_DESCRIBE_STUCK_H

#include "program/world/world.h"

/* ---- threads that are left where they are (stuck.c)
 * --------------------------------------------------------
 */

/* The running one is, for the reason in mz__w.base.stuck. */
void mz__is_stuck(void) __attribute__((noreturn));
/* One that has just come to an operation, in an execution that has as many as it may. */
void mz__is_too_long(mz__thread *thread);
/* Has a thread taken too long before, after the operation from which the running one comes now? Or too much
 * memory, and does this one now? And: it has. */
bool mz__takes_long_here(void);
bool mz__takes_much_here(uint64_t heap_used);
void mz__has_taken_long(void);
void mz__has_taken_much(uint64_t heap_used);
void mz__describe_stuck(mz_text *out);
void mz__forget_stuck(void);
/* For other processes, and from them (testimony.c). */
void mz__write_stuck(mz_bytes *out);
void mz__hear_stuck(mz_byte_reader *reader);

#endif
