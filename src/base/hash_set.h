/* A set of 128-bit hashes: a map whose entries are their keys. */
#ifndef MZ_BASE_HASH_SET_H
#define MZ_BASE_HASH_SET_H

#include "base/map.h"

typedef mz_map mz_hash_set;

/* Returns 1 if the hash was new, 0 if it was there already. */
int mz_hash_set_add(mz_hash_set *set, mz_hash hash);
void mz_hash_set_add_all(mz_hash_set *set, const mz_hash_set *others);
int mz_hash_set_has(const mz_hash_set *set, mz_hash hash);
void mz_hash_set_clear(mz_hash_set *set);
void mz_hash_set_release(mz_hash_set *set);

#endif
