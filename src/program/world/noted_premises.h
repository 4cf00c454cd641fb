/* What executions depend on beside their schedule and their choices (wire/premise.h): noted where a program
 * asks for it, for plans. */
#ifndef MZ_PROGRAM_WORLD_NOTED_PREMISES_H
#define MZ_PROGRAM_WORLD_NOTED_PREMISES_H

#include "program/program.h"
#include "program/world/world.h"
#include "wire/premise.h"

/* What programs have asked for. */
typedef struct mz__questions {
    uint32_t kinds; /* 1 << mz_premise_kind */
    char **names;   /* of environment variables */
    size_t name_count, name_capacity;
    bool whole_environment, own_environment;
    uint64_t affinity; /* 0: not asked for */
    mz_native_premise *facts;
    size_t fact_count, fact_capacity;
} mz__questions;
const mz__questions *mz__asked(void);
/* Of an environment variable; NULL: there is none. */
char *mz__value_of(const char *name);

/* The program, in some execution, has asked for this. */
void mz__ask(mz_premise_kind kind);
/* It has asked for an environment variable. NULL: it looks through all of them. */
void mz__ask_variable(const char *name);
/* It has asked for the processors that it may run on; the answer was that there are so many. */
void mz__ask_affinity(uint64_t count);

/* It has asked for something that has a name, which stays valid or is copied; the answer was this number. */
void mz__ask_about(mz_premise_kind kind, const char *name, uint64_t answer);

/* At the end of an execution, or of a part of one: how many threads there are, and operations of each. */
void mz__note_counts(void);
/* How many operations this thread does is up to time: it looks again and again, or may be woken without a
 * reason. */
void mz__count_varies(const mz__thread *thread);

/* A file that was opened (path NULL: standard input), as it was found; bytes NULL: there is none. */
typedef void mz__content_visitor(void *context, const char *path, const char *bytes, size_t size);
void mz__visit_contents(mz__content_visitor *visit, void *context); /* libc_store.c */
/* A name of the system that something was asked of: what (R_OK, …: wire/premise.h), and what is so; mode:
 * what was answered, 0 if nobody has asked. */
typedef void mz__name_visitor(void *context, const char *path, unsigned asked, unsigned found, unsigned mode);
void mz__visit_names(mz__name_visitor *visit, void *context); /* libc_store.c */

/* The answers that the checker gives, wherever it runs. */
enum { MZ__PROCESS = 1000, MZ__PROCESSORS = 2 };
#define MZ__HOST "localhost"
#if defined __x86_64__
#define MZ__MACHINE "x86_64"
#else
#define MZ__MACHINE "aarch64"
#endif
#define MZ__RELEASE "6.0.0"
#define MZ__VERSION "#1"

#endif
