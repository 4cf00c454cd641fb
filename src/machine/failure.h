/* What can go wrong in a program under test. One line per kind: constant, name in JSON and messages,
 * name for --check, description for --help. */
#ifndef MZ_MACHINE_FAILURE_H
#define MZ_MACHINE_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define MZ_FAILURE_KINDS(X)                                                                                  \
    X(MZ_FAIL_ASSERTION, "assertion", "assertions", "an assertion does not hold")                            \
    X(MZ_FAIL_DEADLOCK, "deadlock", "deadlocks", "threads wait for each other for ever")                     \
    X(MZ_FAIL_LIVELOCK, "livelock", "livelocks", "a thread spins for ever on what nobody changes")           \
    X(MZ_FAIL_RACE, "data-race", "data-races", "two accesses that nothing orders, one of them a write")      \
    X(MZ_FAIL_MEMORY, "memory", "memory", "an access to memory that is not there, or no longer")             \
    X(MZ_FAIL_CRASH, "crash", "crashes", "the program is ended by a signal")                                 \
    X(MZ_FAIL_EXIT, "exit", "exits", "the program ends with another status than 0 (only if asked for)")      \
    X(MZ_FAIL_LEAK, "leak", "leaks", "memory that nobody can free any more (only if asked for)")             \
    X(MZ_FAIL_UNINITIALISED, "uninitialised", "uninitialised",                                               \
      "a read of heap memory that was never written (only if asked for)")                                    \
    X(MZ_FAIL_INDEX, "index", "indices", "an index is outside its array")                                    \
    X(MZ_FAIL_DIVISION, "division", "divisions", "a division or remainder by zero")                          \
    X(MZ_FAIL_LOCK, "lock", "locks", "a lock, a condition variable, a thread … is used as it must not be")   \
    X(MZ_FAIL_HISTORY, "linearizability", "linearizability",                                                 \
      "what calls of a library returned, they return in no order (of clients only)")                         \
    X(MZ_FAIL_CHOICE, "choice", "choices", "choose(lo, hi) with nothing to choose from")

typedef enum mz_failure_kind {
#define MZ_X(constant, name, check, description) constant,
    MZ_FAILURE_KINDS(MZ_X)
#undef MZ_X
        MZ_FAILURE_KIND_COUNT
} mz_failure_kind;

#define MZ_FAILURES_ALL ((1u << MZ_FAILURE_KIND_COUNT) - 1)
/* A status other than 0 is often a result, no error; what a program does not free, its end does; and memory
 * that was not written may be read on purpose. */
#define MZ_FAILURES_IF_ASKED                                                                                 \
    (1u << MZ_FAIL_EXIT | 1u << MZ_FAIL_LEAK | 1u << MZ_FAIL_UNINITIALISED | 1u << MZ_FAIL_HISTORY)
#define MZ_FAILURES_DEFAULT (MZ_FAILURES_ALL & ~MZ_FAILURES_IF_ASKED)

typedef struct mz_failure {
    mz_failure_kind kind;
    uint32_t thread; /* the one that failed; for a deadlock the first that waits */
    mz_position position;
    mz_position other; /* of a data race: the access before */
    mz_text message;
} mz_failure;

/* What is suspicious, but has not gone wrong: it does not change the verdict. One line per kind: constant,
 * name in JSON. */
#define MZ_WARNING_KINDS(X)                                                                                  \
    X(MZ_WARN_LOCK_ORDER, "lock-order")                                                                      \
    X(MZ_WARN_LOCK_KEPT, "lock-kept")                                                                        \
    X(MZ_WARN_WAIT_ONCE, "wait-once")                                                                        \
    X(MZ_WARN_SIGNAL_UNLOCKED, "signal-unlocked")                                                            \
    X(MZ_WARN_REFUSED, "refused")                                                                            \
    X(MZ_WARN_RACE, "data-race")

typedef enum mz_warning_kind {
#define MZ_X(constant, name) constant,
    MZ_WARNING_KINDS(MZ_X)
#undef MZ_X
        MZ_WARNING_KIND_COUNT
} mz_warning_kind;

typedef struct mz_warning {
    mz_warning_kind kind;
    mz_position position;
    const char *message;
} mz_warning;

const char *mz_warning_name(mz_warning_kind kind);

const char *mz_failure_name(mz_failure_kind kind);
const char *mz_failure_check_name(mz_failure_kind kind);
const char *mz_failure_description(mz_failure_kind kind);
/* The same thread fails in the same way at the same place. */
bool mz_failure_same(const mz_failure *a, const mz_failure *b);
/* The same, and of a data race the access before, too. */
bool mz_failure_repeated(const mz_failure *a, const mz_failure *b);
/* Of several failures, the one that repeats this; otherwise one that is the same, unless this is a race whose
 * earlier access is known. NULL: there is none. */
const mz_failure *mz_failure_find(const mz_failure *failures, uint32_t count, const mz_failure *sought);
/* Data races between the same two places, whichever comes first and whichever threads are there: it is enough
 * to tell one of them. */
bool mz_failure_alike(const mz_failure *a, const mz_failure *b);
void mz_failure_copy(mz_failure *to, const mz_failure *from);
void mz_failure_release(mz_failure *failure);
/* An array of so many, and each of them. */
void mz_failures_release(mz_failure *failures, size_t count);

#endif
