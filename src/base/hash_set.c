#include "base/hash_set.h"

enum { SIZE = sizeof(mz_hash) };

int mz_hash_set_add(mz_hash_set *set, mz_hash hash)
{
    bool is_new;
    mz_map_at(set, SIZE, hash, &is_new);
    return is_new;
}

void mz_hash_set_add_all(mz_hash_set *set, const mz_hash_set *others)
{
    for (const mz_hash *hash = NULL; (hash = mz_map_next(others, SIZE, hash));)
        mz_hash_set_add(set, *hash);
}

int mz_hash_set_has(const mz_hash_set *set, mz_hash hash)
{
    return mz_map_find(set, SIZE, hash) != NULL;
}

void mz_hash_set_clear(mz_hash_set *set)
{
    mz_map_clear(set, SIZE);
}

void mz_hash_set_release(mz_hash_set *set)
{
    mz_map_release(set);
}
