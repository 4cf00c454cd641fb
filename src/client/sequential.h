/* How a library behaves alone: what each call returns in sequences of calls by one thread. It is found by
 * running them, each once, and kept in a tree whose paths are the sequences. */
#ifndef MZ_CLIENT_SEQUENTIAL_H
#define MZ_CLIENT_SEQUENTIAL_H

#include "base/bytes.h"
#include "client/description.h"

typedef enum mz_sequential_end {
    MZ_SEQUENTIAL_RETURNED,
    MZ_SEQUENTIAL_WAITS, /* for ever: nobody else is there */
    MZ_SEQUENTIAL_FAILED,
} mz_sequential_end;

typedef struct mz_sequential_node {
    uint32_t operation, first_child, next; /* 0: none */
    mz_sequential_end end;
    char result[MZ_CALL_RESULT];
} mz_sequential_node;

/* Runs the operations one after the other; those that have returned have results in the history. False and
 * *error set: it cannot be told what they do. */
typedef bool mz_run_alone(void *context, const uint8_t *word, uint32_t length, mz_history *history,
                          mz_sequential_end *end, mz_error *error);

typedef struct mz_sequential {
    mz_sequential_node *nodes; /* [0]: nothing was called yet */
    size_t count, capacity;
    mz_run_alone *run;
    void *context;
    /* The first sequence that fails, which is an error without any concurrency. */
    uint8_t failing[MZ_CLIENT_CALLS];
    uint32_t failing_length; /* 0: none does */
    uint64_t runs;
} mz_sequential;

void mz_sequential_init(mz_sequential *sequential, mz_run_alone *run, void *context);
void mz_sequential_release(mz_sequential *sequential);
/* The node behind it; 0: that was not run, or does not return. */
uint32_t mz_sequential_follow(const mz_sequential *sequential, uint32_t node, uint32_t operation);
/* Run what a client's calls can be put in order to: as their threads have them, or in any order. Calls of
 * `optional` operations (a set of bits) may also be left out. */
void mz_sequential_learn(mz_sequential *sequential, const mz_client *client, bool any_order,
                         const bool *optional, mz_error *error);

/* Is there an order of a client's calls, as its threads have them, in which all return? */
bool mz_sequential_completes(const mz_sequential *sequential, const mz_client *client);
/* What became known since there were `since` nodes, for another process that has at least these: sequences
 * that fail are left out, so that everybody finds them again. And to take it; false if it is not understood.
 */
void mz_sequential_write(const mz_sequential *sequential, size_t since, mz_bytes *out);
bool mz_sequential_read(mz_sequential *sequential, mz_byte_reader *reader);
/* One that runs nothing, but looks up what `known` has, which has to live as long: to count what would have
 * been run for some clients. */
void mz_sequential_retell(mz_sequential *sequential, mz_sequential *known);

#endif
