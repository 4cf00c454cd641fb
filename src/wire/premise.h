/* Premises of a plan: what the verified executions depended on beside the schedule and the inputs. A plan
 * holds for a program that finds the same; so each is written down, and compared when the program starts
 * (safe/runtime/runtime_premises.c).
 *
 * In the file (plan.h), before the first plan:
 *
 *   argument WORD                    of the program, in their order
 *   premise environment NAME VALUE   an environment variable that was asked for
 *   premise environment - VALUE      all of them: the program looks through its environment itself
 *   premise file PATH VALUE          a file that was opened
 *   premise input - VALUE            standard input
 *   premise processors - NUMBER      how many there are
 *   premise process - NUMBER, premise user - NUMBER
 *   premise host - VALUE             its name
 *   premise clock - -, premise random - -
 *                                    these are made up by the checker, and never the same: they cannot be
 *                                    compared, which is told
 *   seen PARENT.CHILD COUNT          a thread, in the order of their numbers (0.0 is main): in no execution
 * that was verified there were others, or did this one do more operations than these; '-': how many is up to
 * time. No such lines: it is not known waives KIND                      whoever made the plan says that it
 * does not depend on these
 *
 * VALUE is 'absent' (not set, or cannot be opened; of the input: it is no file, and nothing came from it), or
 * SIZE:HASH: values may be secrets, and files large.
 *
 * In the image: an array of mz_premise. Arguments that give inputs are none (they are told apart by name). */
#ifndef MZ_WIRE_PREMISE_H
#define MZ_WIRE_PREMISE_H

#include <stddef.h>
#include <stdint.h>

/* kind, its name in files and options, and what an operator calls it */
#define MZ_PREMISES(X)                                                                                       \
    X(ARGUMENTS, "arguments", "the program's arguments")                                                     \
    X(ENVIRONMENT, "environment", "environment variables")                                                   \
    X(FILE, "file", "files that are read")                                                                   \
    X(INPUT, "input", "standard input")                                                                      \
    X(PROCESSORS, "processors", "the number of processors")                                                  \
    X(PROCESS, "process", "process numbers")                                                                 \
    X(USER, "user", "numbers of user and group")                                                             \
    X(HOST, "host", "the name of the host")                                                                  \
    X(CLOCK, "clock", "the clock")                                                                           \
    X(RANDOM, "random", "random numbers")

typedef enum mz_premise_kind {
#define MZ_X(kind, name, words) MZ_PREMISE_##kind,
    MZ_PREMISES(MZ_X)
#undef MZ_X
        MZ_PREMISE_KIND_COUNT
} mz_premise_kind;

/* Those that are never the same. */
#define MZ_PREMISES_NOT_COMPARED (1u << MZ_PREMISE_CLOCK | 1u << MZ_PREMISE_RANDOM)
#define MZ_PREMISE_ABSENT        UINT64_MAX /* as a size */
#define MZ_PREMISE_BASE          UINT64_C(0xcbf29ce484222325)

typedef struct mz_premise {
    uint32_t kind, reserved;
    uint64_t name; /* offset of a text that ends with a zero byte: the variable, the path, the argument */
    uint64_t size; /* or the number */
    uint64_t hash;
} mz_premise;

/* A thread of any execution. */
typedef struct mz_seen_thread {
    uint32_t parent, child;
    uint32_t most; /* operations; UINT32_MAX: any number */
    uint32_t reserved;
} mz_seen_thread;

/* Of some bytes, after those before them: MZ_PREMISE_BASE at first. */
static inline uint64_t mz_premise_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}

#endif
