#include "estimate/strata.h"

#include "base/hash.h"
#include "base/memory.h"

enum { SLOTS = 1 << 17, MOST_USED = SLOTS / 4 * 3 };

/* A coarser kind counts as so many subtrees of the finer; and an unknown one as so many times the mean of its
 * level. Both chosen by measuring: bench/estimate.py. */
static const double PRIOR = 3, CURIOSITY = 20, FLOOR = 0.02;

void mz_strata_init(mz_strata *s)
{
    s->used = 0;
    s->slots = mz_allocate_zeroed(SLOTS, sizeof *s->slots);
}

void mz_strata_release(mz_strata *s)
{
    mz_release(s->slots);
}

/* Kinds must not be mixed up: sizes differ by many orders of magnitude. When all slots are taken, a kind is
 * taken for the coarser one. */
static uint32_t slot_of(mz_strata *s, uint64_t key, uint32_t coarser)
{
    uint32_t i = (uint32_t)(key % SLOTS);
    while (s->slots[i].key && s->slots[i].key != key)
        i = (i + 1) % SLOTS;
    if (s->slots[i].key)
        return i;
    if (s->used == MOST_USED)
        return coarser;
    s->used++;
    s->slots[i].key = key;
    return i;
}

mz_stratum mz_strata_find(mz_strata *s, const uint32_t keys[MZ_STRATUM_KEYS])
{
    mz_stratum stratum;
    uint64_t key = 1;
    uint32_t coarser = 0;
    for (uint32_t i = 0; i < MZ_STRATUM_KEYS; i++) {
        key = mz_mix64(key * 31 + keys[i] + 1) | 1;
        stratum.slots[i] = coarser = slot_of(s, key, coarser);
    }
    return stratum;
}

mz_stratum mz_stratum_of_branch(mz_strata *s, uint32_t level, mz_threads ready, mz_threads sleep,
                                uint32_t thread)
{
    uint32_t keys[MZ_STRATUM_KEYS] = {level, mz_threads_count(ready & sleep),
                                      mz_threads_count(ready & ~sleep), thread};
    return mz_strata_find(s, keys);
}

static double expect(const mz_strata *s, const mz_stratum *stratum, double curiosity)
{
    const struct mz_stratum_sizes *level = &s->slots[stratum->slots[0]];
    double mean_of_level = level->sum > 0 ? level->sum / level->count : 1, mean = mean_of_level, count = 0;
    for (uint32_t i = 1; i < MZ_STRATUM_KEYS; i++) {
        const struct mz_stratum_sizes *sizes = &s->slots[stratum->slots[i]];
        count = sizes->count;
        mean = (sizes->sum + PRIOR * mean) / (count + PRIOR);
    }
    return mean + mean_of_level * (FLOOR + curiosity / (1 + count));
}

double mz_strata_expect(const mz_strata *s, const mz_stratum *stratum)
{
    return expect(s, stratum, CURIOSITY);
}

double mz_strata_size(const mz_strata *s, const mz_stratum *stratum)
{
    return expect(s, stratum, 0);
}

void mz_strata_learn(mz_strata *s, const mz_stratum *stratum, double size)
{
    for (uint32_t i = 0; i < MZ_STRATUM_KEYS; i++) {
        s->slots[stratum->slots[i]].sum += size;
        s->slots[stratum->slots[i]].count++;
    }
}

void mz_strata_fade(mz_strata *s)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        s->slots[i].sum /= 2;
        s->slots[i].count /= 2;
    }
}
