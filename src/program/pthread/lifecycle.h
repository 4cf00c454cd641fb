/* How threads, and programs, begin and end (lifecycle.c, threads.c). */
#ifndef MZ_PROGRAM_PTHREAD_LIFECYCLE_H
#define MZ_PROGRAM_PTHREAD_LIFECYCLE_H

#include "program/world/world.h"

uint32_t mz__create_thread(void *(*start)(void *), void *argument, bool detached, uintptr_t pc);
void mz__finish_thread(void) __attribute__((noreturn));
/* The program ends here: exit(), with these registers, or return of main, with none. */
void mz__exit(int status, uintptr_t pc, const mz__registers *registers) __attribute__((noreturn));
/* An assertion does not hold, or somebody called abort(). */
void mz__assertion(uintptr_t pc, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

#endif
