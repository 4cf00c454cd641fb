/* What is known and not to be reported, with the reason for it. A file with one entry per line:
 *
 *   race:stats_*        # the statistics may be approximate
 *   lock-order:cache.c  # the cache is only locked while nothing runs yet
 *
 * After the kind stands a pattern as of the shell, for the variable (or lock), the function, or the file;
 * behind that may stand a line, as in cache.c:31. Lines that begin with # are comments. */
#ifndef MZ_PROGRAM_DESCRIBE_SUPPRESSIONS_H
#define MZ_PROGRAM_DESCRIBE_SUPPRESSIONS_H

#include "base/error.h"
#include "base/text.h"

#define MZ_SUPPRESSION_KINDS(X)                                                                              \
    X(MZ_SUPPRESS_RACE, "race")                                                                              \
    X(MZ_SUPPRESS_LOCK_ORDER, "lock-order")                                                                  \
    X(MZ_SUPPRESS_LOCK_KEPT, "lock-kept")                                                                    \
    X(MZ_SUPPRESS_WAIT_ONCE, "wait-once")                                                                    \
    X(MZ_SUPPRESS_SIGNAL_UNLOCKED, "signal-unlocked")                                                        \
    X(MZ_SUPPRESS_LEAK, "leak")

typedef enum mz_suppression_kind {
#define MZ_X(constant, name) constant,
    MZ_SUPPRESSION_KINDS(MZ_X)
#undef MZ_X
        MZ_SUPPRESSION_KIND_COUNT
} mz_suppression_kind;

typedef struct mz_suppression {
    mz_suppression_kind kind;
    char *pattern, *reason;
    uint32_t at_line; /* of the file that the pattern names; 0: any */
    const char *file; /* where the entry stands */
    uint32_t line;    /* there; 0: nowhere in particular */
    uint64_t used;    /* how often */
} mz_suppression;

/* What a pattern is compared with: a name, or a file and a line in it. */
typedef struct mz_suppression_name {
    const char *name;
    uint32_t line; /* 0: it is no file */
} mz_suppression_name;

typedef struct mz_suppressions {
    const char *file; /* NULL: none was read */
    mz_suppression *entries;
    size_t count, capacity;
} mz_suppressions;

/* More of them. False and *error set, with the place, if the file cannot be read or understood. */
bool mz_suppressions_read(mz_suppressions *suppressions, const char *file, mz_error *error);
/* One more, as it would stand in a file; `file` is where it comes from. */
void mz_suppressions_add(mz_suppressions *suppressions, const char *text, const char *file, uint32_t line,
                         mz_error *error);
void mz_suppressions_release(mz_suppressions *suppressions);

/* Does an entry of the kind fit one of these names? Then it has been used. NULL has no entries. */
bool mz_suppressed(mz_suppressions *suppressions, mz_suppression_kind kind, const mz_suppression_name *names,
                   size_t count);
/* "race:stats_* (stats.supp:3) is suppressed (2 found): the statistics may be approximate" */
void mz_suppression_describe(const mz_suppressions *suppressions, size_t entry, mz_text *out);
/* Does a description say that the entry was not used? */
bool mz_suppression_is_unused(const char *description);
/* "race:stats_* # the statistics may be approximate" */
void mz_suppression_text(const mz_suppression *entry, mz_text *out);

#endif
