/* What executions depend on beside their schedule and their choices (wire/premise.h): noted where a program
 * asks for it, for plans. */
#ifndef MZ_PROGRAM_DESCRIBE_NOTED_PREMISES_H
#define MZ_PROGRAM_DESCRIBE_NOTED_PREMISES_H

#include "program/runtime/thread.h"
#include "wire/premise.h"

/* The program, in some execution, has asked for this. */
void mz__ask(mz_premise_kind kind);
/* … for an environment variable. NULL: it looks through all of them. */
void mz__ask_variable(const char *name);
/* … for the processors that it may run on; the answer was that there are so many. */
void mz__ask_affinity(uint64_t count);

/* At the end of an execution, or of a part of one: how many threads there are, and operations of each. */
void mz__note_counts(void);
/* How many operations this thread does is up to time: it looks again and again, or may be woken in vain. */
void mz__count_varies(const mz__thread *thread);

/* A file that was opened (path NULL: standard input), as it was found; bytes NULL: there is none. */
typedef void mz__content_visitor(void *context, const char *path, const char *bytes, size_t size);
void mz__visit_contents(mz__content_visitor *visit, void *context); /* libc_files.c */

/* The answers that the checker gives, wherever it runs. */
enum { MZ__PROCESS = 1000, MZ__PROCESSORS = 2 };
#define MZ__HOST "localhost"

#endif
