#include "oracle/string_set.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static uint64_t hash_bytes(const char *bytes, size_t length)
{
    uint64_t h = length, word;
    for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = mz_mix64(h ^ word);
    }
    for (word = 0; length > 0; length--)
        word = word << 8 | (unsigned char)*bytes++;
    return mz_mix64(h ^ word);
}

static size_t find(const string_set *set, const char *bytes, size_t length)
{
    size_t i = (size_t)hash_bytes(bytes, length) & (set->capacity - 1);
    while (set->strings[i] && (set->lengths[i] != length || memcmp(set->strings[i], bytes, length) != 0))
        i = (i + 1) & (set->capacity - 1);
    return i;
}

bool string_set_has(const string_set *set, const char *bytes, size_t length)
{
    return set->capacity > 0 && set->strings[find(set, bytes, length)];
}

bool string_set_add(string_set *set, const char *bytes, size_t length)
{
    if (set->count * 2 >= set->capacity) {
        string_set larger = {.capacity = set->capacity ? set->capacity * 2 : 256, .count = set->count};
        larger.strings = mz_allocate_zeroed(larger.capacity, sizeof *larger.strings);
        larger.lengths = mz_allocate_zeroed(larger.capacity, sizeof *larger.lengths);
        for (size_t i = 0; i < set->capacity; i++)
            if (set->strings[i]) {
                size_t at = find(&larger, set->strings[i], set->lengths[i]);
                larger.strings[at] = set->strings[i];
                larger.lengths[at] = set->lengths[i];
            }
        mz_release(set->strings);
        mz_release(set->lengths);
        *set = larger;
    }
    size_t at = find(set, bytes, length);
    if (set->strings[at])
        return false;
    set->strings[at] = mz_copy_bytes(bytes, length);
    set->lengths[at] = length;
    set->count++;
    return true;
}

void string_set_release(string_set *set)
{
    for (size_t i = 0; i < set->capacity; i++)
        mz_release(set->strings[i]);
    mz_release(set->strings);
    mz_release(set->lengths);
    *set = (string_set){0};
}
