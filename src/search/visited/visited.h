/* The states that a depth-first search has visited, what can still happen from each of them, and the cycles
 * that they form (visited.c). */
#ifndef MZ_SEARCH_VISITED_VISITED_H
#define MZ_SEARCH_VISITED_VISITED_H

#include "search/search.h"
#include "search/visited/summaries.h"

typedef enum mz_arrival {
    MZ_ARRIVAL_NEW,
    MZ_ARRIVAL_FINISHED, /* all that follows has been explored: the summary is complete */
    MZ_ARRIVAL_CYCLE,    /* from the state a way leads back to one that led here; perhaps it is that one */
} mz_arrival;

typedef struct mz_path_state {
    uint32_t open;     /* which of the open states it is, MZ_NONE: of none, it was met before */
    bool ends;         /* some execution ends, as far as is known */
    mz_growing_set of; /* its summary so far */
} mz_path_state;

typedef struct mz_visited {
    mz_summaries summaries;
    mz_map states;       /* those that are known */
    mz_path_state *path; /* [depth] */
    size_t path_length, path_capacity;
    mz_hash *open; /* states that are not finished, in the order in which they were found */
    size_t open_count, open_capacity;
    struct mz_component {
        uint32_t open; /* of its first state */
        size_t depth;
    } * components; /* of the path: see visited.c */
    size_t component_count, component_capacity;
    size_t endless; /* components in which executions go round for ever, and from which none ends */
} mz_visited;

void mz_visited_release(mz_visited *visited);

/* The search has come to a state at this depth: what was deeper is finished. Where the arrival is a CYCLE,
 * all that it passes through is on the path from *depth on. A state without a fingerprint (zeroes) is like no
 * other. */
mz_arrival mz_visited_arrive(mz_visited *visited, size_t at_depth, mz_hash state, size_t *depth);
/* The machine's state, at the top of the path. */
mz_arrival mz_visited_arrive_now(mz_visited *visited, mz_search *search, size_t *depth);
/* No thread goes on in the state just arrived at, which is new. */
void mz_visited_end_here(mz_visited *visited);

/* The thread's operation is pending in the state that was just arrived at and is new. */
void mz_visited_add(mz_visited *visited, uint32_t thread, const mz_operation *pending);
/* Call `each` for every access in the summary of the state just arrived at. */
void mz_visited_each(const mz_visited *visited,
                     void (*each)(void *context, uint32_t thread, mz_access access), void *context);

/* The search is over. It is not complete if executions go round for ever, where that is an error. */
void mz_visited_close(mz_visited *visited, mz_search *search);

#endif
