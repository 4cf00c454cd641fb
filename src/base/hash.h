/* 128-bit hashing for trace identities and state fingerprints. Two lanes mixed with different
 * constants; collisions among 2^40 values have probability below 2^-48. */
#ifndef MZ_BASE_HASH_H
#define MZ_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct mz_hash {
    uint64_t low, high;
} mz_hash;

static inline uint64_t mz_mix64(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline mz_hash mz_hash_start(uint64_t seed)
{
    return (mz_hash){seed ^ UINT64_C(0x9e3779b97f4a7c15), ~seed ^ UINT64_C(0xd1b54a32d192ed03)};
}

/* Order matters: H(a,b) != H(b,a). */
static inline mz_hash mz_hash_add(mz_hash h, uint64_t word)
{
    h.low = mz_mix64(h.low ^ (word * UINT64_C(0x9e3779b97f4a7c15))) + word;
    h.high = mz_mix64(h.high + (word ^ UINT64_C(0xa0761d6478bd642f)) * UINT64_C(0xe7037ed1a0b428db));
    return h;
}

/* All of them, and how many they are. */
static inline mz_hash mz_hash_add_bytes(mz_hash h, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + i, length - i < 8 ? length - i : 8);
        h = mz_hash_add(h, word);
    }
    return mz_hash_add(h, length);
}

/* Order does not matter: for sets of hashed elements. */
static inline mz_hash mz_hash_combine(mz_hash a, mz_hash b)
{
    return (mz_hash){a.low + mz_mix64(b.low), a.high + mz_mix64(b.high)};
}

#endif
