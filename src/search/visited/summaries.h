/* Sets of accesses: what can still happen from a state. Most states of a program have one of a few such sets,
 * so that each set is kept once, and known by a number. */
#ifndef MZ_SEARCH_VISITED_SUMMARIES_H
#define MZ_SEARCH_VISITED_SUMMARIES_H

#include "base/map.h"
#include "machine/machine.h"

/* An access, and who would perform it. */
typedef struct mz_future_access {
    uint32_t thread;
    mz_access access;
} mz_future_access;

/* A set that still grows: a bit for each access that is known. */
typedef struct mz_growing_set {
    uint64_t *bits;
    size_t words, capacity;
} mz_growing_set;

typedef struct mz_summaries {
    mz_future_access *accesses; /* all that are known; their numbers are the bits of sets */
    size_t access_count, access_capacity;
    mz_map access_numbers;
    uint64_t *bits; /* the sets that are kept, one after the other: */
    size_t bit_count, bit_capacity;
    struct mz_kept_set {
        size_t first;
        uint32_t words;
    } * sets;
    size_t set_count, set_capacity;
    mz_map set_numbers;
} mz_summaries;

void mz_summaries_release(mz_summaries *summaries);

void mz_set_clear(mz_growing_set *set);
void mz_set_add(mz_summaries *summaries, mz_growing_set *set, uint32_t thread, mz_access access);
void mz_set_add_all(mz_growing_set *set, const mz_growing_set *more);
/* The number of a set like this, which may go on growing. */
uint32_t mz_set_keep(mz_summaries *summaries, const mz_growing_set *set);
/* As the set of this number is. */
void mz_set_copy(const mz_summaries *summaries, mz_growing_set *set, uint32_t number);
void mz_set_each(const mz_summaries *summaries, const mz_growing_set *set,
                 void (*each)(void *context, uint32_t thread, mz_access access), void *context);

#endif
