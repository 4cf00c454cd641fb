/* One search by several processes.
 *
 * A search begins alone, and most are over before anybody else is worth starting. One that takes longer
 * forks: a child goes on with the execution at hand, and what was the searching process becomes the
 * *coordinator*, which keeps the ledger (pool/ledger.h), forks *workers*, and leases items to them. All have
 * the program loaded and know what was learned about it, because they are copies of one process. The
 * coordinator does not run the program any more: whatever that does to a worker, the ledger is safe.
 *
 * What one worker learns may make everything void (search/frontier.h: epochs; machine->begin_again). Then
 * that worker, which alone knows it, *succeeds* the coordinator: the others are ended, it begins anew with
 * all it knows, and whatever was to be done with the result it does. The old coordinator waits for it and
 * ends as it does. */
#ifndef MZ_POOL_POOL_H
#define MZ_POOL_POOL_H

#include <sys/types.h>

#include "algo/algorithm.h"
#include "pool/ledger.h"

enum { MZ_POOL_MOST_WORKERS = 1024, MZ_POOL_NOBODY = MZ_POOL_MOST_WORKERS };

/* What real programs need beside a machine. All may be NULL. */
typedef struct mz_pool_program {
    void *context;
    void (*before_workers)(void *context);                /* in the process that forks them */
    void (*begin_worker)(void *context, uint32_t worker); /* in a new one: from now on it is that one */
    void (*succeed)(void *context);                       /* in one that succeeds the coordinator */
    /* What the executions of an item have shown about the program beside errors; and to hear it. */
    void (*testify)(void *context, mz_bytes *out);
    bool (*hear)(void *context, uint32_t worker, mz_byte_reader *testimony);
    /* By the coordinator, now and then: is the worker stuck where it cannot help itself? */
    bool (*is_stuck)(void *context, uint32_t worker, pid_t process);
    /* A worker is gone, and that is the result: the coordinator is about to end like it. */
    void (*end_like)(void *context, uint32_t worker, bool was_stuck);
} mz_pool_program;

typedef struct mz_pool_options {
    uint32_t jobs;        /* workers at most */
    uint64_t split_every; /* events: mz_search.split_every; 0: the usual */
    double patience;      /* seconds that one searches alone */
    mz_pool_program program;
    /* All that is needed to go on, as bytes: every so many seconds (0: never), and when it is over. */
    double save_every;
    void (*save)(void *context, const mz_bytes *state, bool is_over);
    void *save_context;
    const mz_bytes *saved; /* go on with this; NULL: from the beginning */
    /* When so many items wait, everything stops, to be dealt out; 0: never. */
    size_t stop_with_items;
} mz_pool_options;

typedef struct mz_pool mz_pool;

/* Runs the algorithm to its end, as mz_algorithm_run does, with the same result. What is found lives as long
 * as the pool. */
mz_pool *mz_pool_run(const mz_pool_options *options, const mz_algorithm *algorithm, mz_search *search);
void mz_pool_release(mz_pool *pool);

/* What is saved: a ledger, the memory of its epoch, and what executions have shown. */
typedef struct mz_pool_state {
    uint64_t epoch;
    mz_bytes memory, testimony;
    mz_ledger ledger;
} mz_pool_state;

void mz_pool_state_write(const mz_pool_state *state, mz_bytes *out);
/* False, and an empty state, if the bytes are none. */
bool mz_pool_state_read(mz_byte_reader *reader, mz_pool_state *state, mz_arena *names);
void mz_pool_state_release(mz_pool_state *state);

/* Does a search of the algorithm with these options have items that several can explore? */
bool mz_pool_parts(const mz_algorithm *algorithm, const mz_search_options *options,
                   const mz_machine *machine);

#endif
