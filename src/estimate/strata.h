/* How large subtrees of the same kind have been so far: what to expect of the next one. A kind is a few
 * numbers, from the coarsest to the finest: what is known about a coarser one stands in where little is known
 * about the finer. Only the spread of an estimate depends on this, never its mean. */
#ifndef MZ_ESTIMATE_STRATA_H
#define MZ_ESTIMATE_STRATA_H

#include <stddef.h>
#include <stdint.h>

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
/* The size to expect, and more where little is known: otherwise what is rare and large is never met. */
double mz_strata_expect(const mz_strata *strata, const mz_stratum *stratum);
void mz_strata_learn(mz_strata *strata, const mz_stratum *stratum, double size);
/* What was learned so far counts for less than what comes. */
void mz_strata_fade(mz_strata *strata);

#endif
