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
 * ends as it does.
 *
 * Workers may be elsewhere (`ranks`): agents that were sent what there is to know, and have loaded the
 * program themselves. Whatever becomes of one, the item that it had waits again; if that was the program's
 * doing, or something was learned, it waits for a worker of this machine, where it happens once more and
 * can be told. */
#ifndef MZ_POOL_POOL_H
#define MZ_POOL_POOL_H

#include <signal.h>
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
    /* Of a worker elsewhere: was there anything that only memory shared with the coordinator could tell? */
    bool (*is_for_home)(void *context);
} mz_pool_program;

/* What a worker is told while it searches, and shows. In memory that both see. */
typedef struct mz_worker_line {
    _Alignas(64) volatile sig_atomic_t stop;      /* asked to end its search */
    volatile uint64_t traces, executions, events; /* of its item so far */
} mz_worker_line;

/* Of a worker that is elsewhere: where items come from. */
typedef struct mz_pool_home {
    int channel;
    mz_worker_line *line;
    uint64_t split_every; /* what it is there */
} mz_pool_home;

typedef struct mz_pool_options {
    uint32_t jobs; /* workers at most */
    /* How many of these it may have for now, which becomes more when others have ended: in memory shared with
     * who says so. NULL: all. */
    const volatile uint32_t *allowed;
    uint64_t split_every; /* events: mz_search.split_every; 0: the usual, if somebody has a use for parts */
    uint64_t usual_split;
    double patience; /* seconds that one searches alone */
    mz_pool_program program;
    /* All that is needed to go on, as bytes: every so many seconds (0: never), and when it is over. */
    double save_every;
    void (*save)(void *context, const mz_bytes *state, bool is_over);
    void *save_context;
    const mz_bytes *saved; /* go on with this; NULL: from the beginning */
    /* When so many items wait, everything stops, to be dealt out; 0: never. */
    size_t stop_with_items;
    /* Workers elsewhere: channels to their agents, and what these are sent first. The context is that of
     * saving. */
    const int *ranks;
    uint32_t rank_count;
    bool ranks_first; /* nobody here begins with an item while they load the program: for tests */
    void (*write_job)(void *context, const mz_bytes *state, mz_bytes *job);
    const mz_pool_home *home; /* this is one of them, and goes on with `saved`; NULL: it is not */
} mz_pool_options;

typedef struct mz_pool mz_pool;

/* Runs the algorithm to its end, as mz_algorithm_run does, with the same result. What is found lives as long
 * as the pool. */
mz_pool *mz_pool_run(const mz_pool_options *options, const mz_algorithm *algorithm, mz_search *search);
void mz_pool_release(mz_pool *pool);
/* A process that did the work of this one has ended like that (waitpid), and so does this one. */
_Noreturn void mz_pool_end_like(int status);

/* What is saved: a ledger, the memory of its epoch, and what executions have shown. */
typedef struct mz_pool_state {
    uint64_t epoch;
    bool narrows; /* of wide choices, only the values that come first are tried so far */
    mz_bytes memory, testimony;
    mz_ledger ledger;
} mz_pool_state;

void mz_pool_state_write(const mz_pool_state *state, mz_bytes *out);
/* False, and an empty state, if the bytes are none. */
bool mz_pool_state_read(mz_byte_reader *reader, mz_pool_state *state, mz_arena *names);
void mz_pool_state_release(mz_pool_state *state);

/* What it is that only one process can explore, in words of the user; NULL: several can. machine: NULL if it
 * is not known yet. */
const char *mz_pool_why_alone(const mz_algorithm *algorithm, const mz_search_options *options,
                              const mz_machine *machine);
/* Does a search of the algorithm with these options have items that several can explore? */
bool mz_pool_parts(const mz_algorithm *algorithm, const mz_search_options *options,
                   const mz_machine *machine);

#endif
