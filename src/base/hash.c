#include "base/hash.h"

#include <string.h>

#include "base/memory.h"

static int is_free(mz_hash h)
{
    return h.low == 0 && h.high == 0;
}

static size_t find_slot(const mz_hash *slots, size_t capacity, mz_hash hash)
{
    size_t i = (size_t)hash.low & (capacity - 1);
    while (!is_free(slots[i]) && (slots[i].low != hash.low || slots[i].high != hash.high))
        i = (i + 1) & (capacity - 1);
    return i;
}

static void enlarge(mz_hash_set *set)
{
    size_t larger = set->capacity ? set->capacity * 2 : 1024;
    mz_hash *slots = mz_allocate_zeroed(larger, sizeof *slots);
    for (size_t i = 0; i < set->capacity; i++)
        if (!is_free(set->slots[i]))
            slots[find_slot(slots, larger, set->slots[i])] = set->slots[i];
    mz_release(set->slots);
    set->slots = slots;
    set->capacity = larger;
}

int mz_hash_set_add(mz_hash_set *set, mz_hash hash)
{
    if (is_free(hash))
        hash.low = 1;
    if (set->count * 4 >= set->capacity * 3)
        enlarge(set);
    size_t i = find_slot(set->slots, set->capacity, hash);
    if (!is_free(set->slots[i]))
        return 0;
    set->slots[i] = hash;
    set->count++;
    return 1;
}

void mz_hash_set_add_all(mz_hash_set *set, const mz_hash_set *others)
{
    for (size_t i = 0; i < others->capacity; i++)
        if (!is_free(others->slots[i]))
            mz_hash_set_add(set, others->slots[i]);
}

int mz_hash_set_has(const mz_hash_set *set, mz_hash hash)
{
    if (is_free(hash))
        hash.low = 1;
    return set->capacity > 0 && !is_free(set->slots[find_slot(set->slots, set->capacity, hash)]);
}

void mz_hash_set_clear(mz_hash_set *set)
{
    if (set->slots)
        memset(set->slots, 0, set->capacity * sizeof *set->slots);
    set->count = 0;
}

void mz_hash_set_release(mz_hash_set *set)
{
    mz_release(set->slots);
    *set = (mz_hash_set){0};
}
