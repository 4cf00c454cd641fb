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
 *   premise host system VALUE        what uname() says beside that
 *   premise permissions PATH NUMBER  of a name of a file: see MZ_NAME_ASKED
 *   premise modes PATH NUMBER        st_mode
 *   premise directory - VALUE        the working directory
 *   premise terminal DESCRIPTOR 0    it is none
 *   premise descriptors DESCRIPTOR NUMBER
 *                                    its type, of st_mode; 'others' 0: no others are open, but the first
 *                                    three are
 *   premise timezone - 0             it is that of Greenwich
 *   premise locale - 0               what the environment asks for is the "C" locale
 *   premise locale NAME 0            there is no such locale
 *   premise system WHAT NUMBER       'sysconf N', 'stack', 'guard' (of a new thread), 'scheduling'
 *   premise signals - 0              none is blocked or ignored
 *   premise semaphore NAME 0         there is none
 *   premise clock - -, and random, times, placement
 *                                    these are made up by the checker, and never the same: they cannot be
 *                                    compared, which is told
 *   premise world ANSWER 0           what a call of sockets may answer (world.h): compared when it is made
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
    X(RANDOM, "random", "random numbers")                                                                    \
    X(PERMISSIONS, "permissions", "what there is, and may be done with it")                                  \
    X(MODES, "modes", "modes of files and directories")                                                      \
    X(DIRECTORY, "directory", "the working directory")                                                       \
    X(TERMINAL, "terminal", "which descriptors are terminals")                                               \
    X(DESCRIPTORS, "descriptors", "what the standard descriptors are, and that no others are open")          \
    X(ZONE, "timezone", "the time zone")                                                                     \
    X(LOCALE, "locale", "the locale")                                                                        \
    X(SYSTEM, "system", "limits of the system")                                                              \
    X(SIGNALS, "signals", "signals that are blocked or ignored")                                             \
    X(SEMAPHORE, "semaphore", "named semaphores")                                                            \
    X(TIMES, "times", "times, owners and numbers of files")                                                  \
    X(WORLD, "world", "what sockets answer")                                                                 \
    X(PLACEMENT, "placement", "the processor that a thread runs on")

typedef enum mz_premise_kind {
#define MZ_X(kind, name, words) MZ_PREMISE_##kind,
    MZ_PREMISES(MZ_X)
#undef MZ_X
        MZ_PREMISE_KIND_COUNT
} mz_premise_kind;

/* Those that are never the same. */
#define MZ_PREMISES_NOT_COMPARED                                                                             \
    (1u << MZ_PREMISE_CLOCK | 1u << MZ_PREMISE_RANDOM | 1u << MZ_PREMISE_TIMES | 1u << MZ_PREMISE_PLACEMENT)
/* Of a name of a file, beside R_OK, W_OK and X_OK: there is such a file, and it is a directory. A premise has
 * the answers, and MZ_NAME_ASKED times what was asked for. */
enum { MZ_NAME_EXISTS = 8, MZ_NAME_IS_FOLDER = 16, MZ_NAME_ASKED = 256 };
#define MZ_PREMISE_ABSENT UINT64_MAX /* as a size */
#define MZ_PREMISE_BASE   UINT64_C(0xcbf29ce484222325)

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
