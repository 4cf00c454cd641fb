/* A map from 128-bit hashes to entries of one size: open addressing, grows by doubling.
 *
 * An entry is a struct that begins with its key. A key of zeroes marks a free slot; mz_map_key() keeps hashes
 * away from it. The functions are inline: with the size of a struct as a constant they are as fast as a table
 * that is written out. Entries move when the map grows. */
#ifndef MZ_BASE_MAP_H
#define MZ_BASE_MAP_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vector.h"

typedef struct mz_map {
    char *slots;
    size_t capacity, count;
} mz_map;

enum { MZ_MAP_FIRST_CAPACITY = 64 };

MZ_INLINE mz_hash mz_map_key(mz_hash hash)
{
    hash.low |= (hash.low | hash.high) == 0;
    return hash;
}

MZ_INLINE bool mz_map_is_free(const void *slot)
{
    const mz_hash *key = slot;
    return key->low == 0 && key->high == 0;
}

/* The slot of the key, or the free one where it would be. There is a free one. */
MZ_INLINE void *mz_map_slot(const mz_map *map, size_t size, mz_hash key)
{
    for (size_t i = (size_t)key.low & (map->capacity - 1);; i = (i + 1) & (map->capacity - 1)) {
        void *slot = map->slots + i * size;
        const mz_hash *there = slot;
        if ((there->low == key.low && there->high == key.high) || mz_map_is_free(there))
            return slot;
    }
}

/* The entry after this one, in no particular order: the first one after NULL, NULL after the last one. */
static inline void *mz_map_next(const mz_map *map, size_t size, const void *entry)
{
    size_t at = entry ? (size_t)((const char *)entry - map->slots) + size : 0;
    for (; at < map->capacity * size; at += size)
        if (!mz_map_is_free(map->slots + at))
            return map->slots + at;
    return NULL;
}

static inline void mz_map_enlarge(mz_map *map, size_t size)
{
    mz_map larger = {.capacity = map->capacity ? 2 * map->capacity : MZ_MAP_FIRST_CAPACITY,
                     .count = map->count};
    larger.slots = mz_allocate_zeroed(larger.capacity, size);
    for (const mz_hash *entry = NULL; (entry = mz_map_next(map, size, entry));)
        memcpy(mz_map_slot(&larger, size, *entry), entry, size);
    mz_release(map->slots);
    *map = larger;
}

/* The entry of the hash; a new one has its key, and zeroes. */
MZ_INLINE void *mz_map_at(mz_map *map, size_t size, mz_hash hash, bool *is_new)
{
    if (map->count * 4 >= map->capacity * 3)
        mz_map_enlarge(map, size);
    mz_hash key = mz_map_key(hash);
    mz_hash *slot = mz_map_slot(map, size, key);
    *is_new = mz_map_is_free(slot);
    map->count += *is_new;
    *slot = key;
    return slot;
}

/* The entry, or NULL. */
MZ_INLINE void *mz_map_find(const mz_map *map, size_t size, mz_hash hash)
{
    void *slot = map->capacity > 0 ? mz_map_slot(map, size, mz_map_key(hash)) : NULL;
    return slot && !mz_map_is_free(slot) ? slot : NULL;
}

static inline void mz_map_clear(mz_map *map, size_t size)
{
    if (map->slots)
        memset(map->slots, 0, map->capacity * size);
    map->count = 0;
}

static inline void mz_map_release(mz_map *map)
{
    mz_release(map->slots);
    *map = (mz_map){0};
}

#endif
