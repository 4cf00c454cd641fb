/* What a search has found, apart from the search: counters, errors with their counterexamples, why it ended.
 * The harvests of the parts of a tree, added in the order of the parts, are that of the whole. As bytes it
 * goes from one process to another, and into files. */
#ifndef MZ_POOL_HARVEST_H
#define MZ_POOL_HARVEST_H

#include "base/arena.h"
#include "search/search.h"

typedef struct mz_harvest {
    mz_statistics statistics;
    uint64_t stuck;
    bool stopped; /* before its end: by an error, a limit, or what else `reason` says */
    bool incomplete, gave_up, pruned_at_end, is_finer, internal_error;
    bool narrowed;            /* of some choices, not all values were tried */
    bool lost;                /* what waits is not known */
    mz_relation refined;      /* refinements of the dependency relation that made a difference */
    mz_text reason, found_by; /* found_by: the first error, if one way of several has found it */
    mz_problem *problems;
    size_t problem_count, problem_capacity;
    mz_unasked unasked;
    mz_hash_set traces; /* of algorithms that repeat some: which ones there were */
} mz_harvest;

void mz_harvest_release(mz_harvest *harvest);

/* Out of a search that has ended; it keeps nothing of it. (What it has visited are traces: searches that
 * remember states are not made in parts.) */
void mz_harvest_take(mz_harvest *harvest, mz_search *search);
/* It was stopped, but nothing is lost: it goes on elsewhere, or later. */
void mz_harvest_goes_on(mz_harvest *harvest);
/* And into one, which then looks like one that has found all this by itself. */
void mz_harvest_give(mz_harvest *harvest, mz_search *search);
/* What was found later, in the order of the tree. Nothing is left in `later`. */
void mz_harvest_add(mz_harvest *harvest, mz_harvest *later);

void mz_harvest_write(const mz_harvest *harvest, mz_bytes *out);
/* Names of files and inputs are put into the arena. False, and an empty harvest, if the bytes are none. */
bool mz_harvest_read(mz_byte_reader *reader, mz_harvest *harvest, mz_arena *names);

#endif
