/* How a thread fails, and when a program cannot be followed any further (failures.c). */
#ifndef MZ_PROGRAM_DESCRIBE_FAILURES_H
#define MZ_PROGRAM_DESCRIBE_FAILURES_H

#include "program/world/world.h"

void mz__fail(mz_failure_kind kind, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
/* With a text that is released. */
void mz__fail_with(mz_failure_kind kind, uintptr_t pc, mz_text *message) __attribute__((noreturn));
/* The same, but it goes on. */
void mz__report(mz_failure_kind kind, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for a thread that does not run, with a text that is released. */
void mz__report_for(mz_failure_kind kind, uint32_t thread, uintptr_t pc, mz_text *message);
/* For the report of the failure that was found last: what the running thread does here, while the execution
 * is repeated. The words are to be added; NULL: there is no room for more. */
mz_text *mz__remark(uintptr_t pc);
/* The program cannot be followed any further; or, where the others are to go on, the running thread. */
void mz__give_up(uintptr_t pc, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
