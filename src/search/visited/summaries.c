#include "search/visited/summaries.h"

#include "base/memory.h"

typedef struct numbered {
    mz_hash key;
    uint32_t number;
} numbered;

void mz_summaries_release(mz_summaries *s)
{
    mz_map_release(&s->access_numbers);
    mz_map_release(&s->set_numbers);
    mz_release(s->accesses);
    mz_release(s->bits);
    mz_release(s->sets);
}

void mz_set_clear(mz_growing_set *set)
{
    set->words = 0;
}

static void make_wide(mz_growing_set *set, size_t words)
{
    if (words <= set->words)
        return;
    set->bits = mz_grow(set->bits, &set->capacity, words, sizeof *set->bits);
    memset(set->bits + set->words, 0, (words - set->words) * sizeof *set->bits);
    set->words = words;
}

/* Of a write the class does not matter: it conflicts with more than it has to. */
static uint32_t number_of_access(mz_summaries *s, uint32_t thread, mz_access access)
{
    bool is_new;
    access.kind = access.kind & MZ_WRITE ? MZ_WRITE : MZ_READ;
    mz_hash key = mz_hash_add(mz_hash_start(thread), (uint64_t)access.location << 32 | access.kind);
    numbered *known = mz_map_at(&s->access_numbers, sizeof *known, key, &is_new);
    if (is_new) {
        s->accesses = mz_grow(s->accesses, &s->access_capacity, s->access_count + 1, sizeof *s->accesses);
        s->accesses[s->access_count] = (mz_future_access){thread, access};
        known->number = (uint32_t)s->access_count++;
    }
    return known->number;
}

void mz_set_add(mz_summaries *s, mz_growing_set *set, uint32_t thread, mz_access access)
{
    uint32_t bit = number_of_access(s, thread, access);
    make_wide(set, bit / 64 + 1);
    set->bits[bit / 64] |= UINT64_C(1) << bit % 64;
}

void mz_set_add_all(mz_growing_set *set, const mz_growing_set *more)
{
    make_wide(set, more->words);
    for (size_t i = 0; i < more->words; i++)
        set->bits[i] |= more->bits[i];
}

uint32_t mz_set_keep(mz_summaries *s, const mz_growing_set *set)
{
    bool is_new;
    size_t words = set->words;
    mz_hash key = mz_hash_start(0);
    while (words > 0 && set->bits[words - 1] == 0)
        words--;
    if (words > 0)
        key = mz_hash_add_bytes(key, set->bits, words * sizeof *set->bits);
    numbered *known = mz_map_at(&s->set_numbers, sizeof *known, key, &is_new);
    if (!is_new)
        return known->number;
    known->number = (uint32_t)s->set_count;
    s->bits = mz_grow(s->bits, &s->bit_capacity, s->bit_count + words, sizeof *s->bits);
    if (words > 0)
        memcpy(s->bits + s->bit_count, set->bits, words * sizeof *set->bits);
    s->sets = mz_grow(s->sets, &s->set_capacity, s->set_count + 1, sizeof *s->sets);
    s->sets[s->set_count++] = (struct mz_kept_set){s->bit_count, (uint32_t)words};
    s->bit_count += words;
    return known->number;
}

void mz_set_copy(const mz_summaries *s, mz_growing_set *set, uint32_t number)
{
    const struct mz_kept_set *kept = &s->sets[number];
    mz_set_clear(set);
    make_wide(set, kept->words);
    if (kept->words > 0)
        memcpy(set->bits, s->bits + kept->first, kept->words * sizeof *set->bits);
}

void mz_set_each(const mz_summaries *s, const mz_growing_set *set, void (*each)(void *, uint32_t, mz_access),
                 void *context)
{
    for (size_t word = 0; word < set->words; word++)
        for (uint64_t rest = set->bits[word]; rest; rest &= rest - 1) {
            const mz_future_access *a = &s->accesses[word * 64 + (size_t)__builtin_ctzll(rest)];
            each(context, a->thread, a->access);
        }
}
