/* Clients of a library, and what their calls returned: a history.
 *
 * A *client* is a few threads, each with a short list of operations. An operation is a number; what it stands
 * for (`push(q, 1)`) is known to who has made the client. A *call* is one operation in one execution: between
 * which events of its thread it lies, and what it returned, as text. */
#ifndef MZ_MACHINE_HISTORY_H
#define MZ_MACHINE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MZ_CLIENT_THREADS = 6,
    MZ_CLIENT_CALLS = 16, /* of all threads together */
    MZ_CALL_RESULT = 128, /* characters */
};

typedef struct mz_client {
    uint32_t threads;
    /* [0] is what main does before there are threads: all of a client that is sequential. */
    uint32_t length[MZ_CLIENT_THREADS + 1];
    uint8_t operations[MZ_CLIENT_THREADS + 1][MZ_CLIENT_CALLS];
} mz_client;

typedef struct mz_client_call {
    uint32_t thread;  /* of the client: 0 is main */
    uint32_t runs_in; /* that thread, as the machine counts them: a library may have others */
    uint32_t operation;
    uint32_t before, after; /* events of its thread when it was begun, and when it had returned */
    bool returned;
    char result[MZ_CALL_RESULT]; /* "": nothing; a return value and what was left in parameters: "1, 7" */
} mz_client_call;

/* The calls of one execution; those of a thread are in its order. */
typedef struct mz_history {
    uint32_t count;
    mz_client_call calls[MZ_CLIENT_CALLS];
} mz_history;

struct mz_machine;
struct mz_failure;

/* How many events of a thread happen before, or are, the index-th event (from 1) of another: of a trace, or
 * of a schedule. Index 0: none. */
typedef uint32_t mz_knows(const void *order, uint32_t thread, uint32_t index, uint32_t of);

/* Who says whether executions are right as wholes: not because a thread fails, but by what the calls
 * returned. What it says must be a function of the order that it is given, and of the history. */
typedef struct mz_judge {
    void *context;
    /* Is there an execution with this order whose history is wrong? Then *failure says so, and *schedule has
     * the threads of such an execution, event by event (NULL: nobody wants to know). */
    bool (*condemns)(void *context, struct mz_machine *machine, mz_knows *knows, const void *order,
                     struct mz_failure *failure, uint16_t *schedule);
    /* Nobody can go on. Is that what the calls that have not returned would do in any case? */
    bool (*may_wait)(void *context, struct mz_machine *machine, mz_knows *knows, const void *order);
} mz_judge;

#endif
