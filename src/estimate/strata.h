/* How large subtrees of the same kind have been so far: what to expect of the next one. A kind is a few
 * numbers, from the coarsest to the finest: what is known about a coarser one stands in where little is known
 * about the finer. Only the spread of an estimate depends on this, never its mean. */
#ifndef MZ_ESTIMATE_STRATA_H
#define MZ_ESTIMATE_STRATA_H

#include <stddef.h>
#include <stdint.h>

#include "machine/threads.h"

enum { MZ_STRATUM_KEYS = 4 };

/* A kind and the coarser ones it belongs to. */
typedef struct mz_stratum {
    uint32_t slots[MZ_STRATUM_KEYS];
} mz_stratum;

typedef struct mz_strata {
    struct mz_stratum_sizes {
        uint64_t key; /* 0 = free */
        double sum, count;
    } * slots;
    size_t used;
} mz_strata;

void mz_strata_init(mz_strata *strata);
void mz_strata_release(mz_strata *strata);

mz_stratum mz_strata_find(mz_strata *strata, const uint32_t keys[MZ_STRATUM_KEYS]);
/* Of a branch of the tree that is sampled: after so many branches, who is ready there, who sleeps, and whose
 * step it is. */
mz_stratum mz_stratum_of_branch(mz_strata *strata, uint32_t level, mz_threads ready, mz_threads sleep,
                                uint32_t thread);
/* The size to expect, and more where little is known: otherwise what is rare and large is never met. */
double mz_strata_expect(const mz_strata *strata, const mz_stratum *stratum);
/* The same for who wants no more than what is likely; never 0. */
double mz_strata_size(const mz_strata *strata, const mz_stratum *stratum);
void mz_strata_learn(mz_strata *strata, const mz_stratum *stratum, double size);
/* What was learned so far counts for less than what comes. */
void mz_strata_fade(mz_strata *strata);

#endif
