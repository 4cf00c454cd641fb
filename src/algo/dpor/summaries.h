/* What can still happen from each state that a depth-first search has visited: for every thread the locations
 * that it may yet read or write. For algorithms that prune visited states but must know what they would have
 * met beyond (algo/dpor/dpor.c). */
#ifndef MZ_ALGO_DPOR_SUMMARIES_H
#define MZ_ALGO_DPOR_SUMMARIES_H

#include "base/map.h"
#include "machine/machine.h"

typedef enum mz_arrival {
    MZ_ARRIVAL_NEW,
    MZ_ARRIVAL_FINISHED, /* all that follows has been explored: the summary is complete */
    MZ_ARRIVAL_ON_PATH,  /* a cycle: the state is one of those that lead here */
    MZ_ARRIVAL_OPEN,     /* explored, but from it leads a way into a path that was not, or is not, finished */
} mz_arrival;

typedef struct mz_known_state {
    mz_hash state;
    uint32_t number;
} mz_known_state;

typedef struct mz_visited_state {
    uint32_t depth; /* while it is on the path: at which node */
    bool on_path, open;
} mz_visited_state;

typedef struct mz_path_state {
    uint32_t state;
    bool owned; /* it was new here */
    uint32_t
        low; /* of the nodes on the path that can be reached from here, the first; its own depth if none */
} mz_path_state;

typedef struct mz_summaries {
    uint32_t thread_count, location_count;
    size_t words;   /* of one summary */
    mz_map numbers; /* of mz_known_state */
    mz_visited_state *states;
    uint64_t *bits; /* [state][location, thread, write] */
    size_t state_count, state_capacity, bit_capacity;
    mz_path_state *path; /* [depth] */
    size_t path_length, path_capacity;
} mz_summaries;

void mz_summaries_init(mz_summaries *summaries, const mz_machine *machine);
void mz_summaries_release(mz_summaries *summaries);

/* The search has come to a state at this depth: what was deeper is finished. Where the arrival is ON_PATH,
 * *depth is that of the node on the path. */
mz_arrival mz_summaries_arrive(mz_summaries *summaries, size_t at_depth, mz_hash state, size_t *depth);

/* The thread's operation is pending in the state that was just arrived at and is new. */
void mz_summaries_add(mz_summaries *summaries, uint32_t thread, const mz_operation *pending);

/* Call `each` for every access in the summary of the state just arrived at. */
void mz_summaries_each(const mz_summaries *summaries,
                       void (*each)(void *context, uint32_t thread, mz_access access), void *context);

#endif
