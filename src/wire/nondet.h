/* What the verification competition calls __VERIFIER_nondet_NAME: type, name, has it negative values? And
 * which numbers stand for all of a type.
 *
 * They come from one range (--nondet), from 0 on for unsigned types, as far as the type reaches. Where nobody
 * has chosen a range, or none of it is of the type, all values of a type of one byte are meant: there are
 * few.
 */
#ifndef MZ_WIRE_NONDET_H
#define MZ_WIRE_NONDET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MZ_NONDET(X)                                                                                         \
    X(int, int, true)                                                                                        \
    X(unsigned, uint, false)                                                                                 \
    X(unsigned, unsigned, false)                                                                             \
    X(unsigned, unsigned_int, false)                                                                         \
    X(char, char, true)                                                                                      \
    X(signed char, schar, true)                                                                              \
    X(unsigned char, uchar, false)                                                                           \
    X(unsigned char, unsigned_char, false)                                                                   \
    X(short, short, true)                                                                                    \
    X(unsigned short, ushort, false)                                                                         \
    X(long, long, true)                                                                                      \
    X(unsigned long, ulong, false)                                                                           \
    X(long long, longlong, true)                                                                             \
    X(unsigned long long, ulonglong, false)                                                                  \
    X(float, float, true)                                                                                    \
    X(double, double, true)                                                                                  \
    X(long long, loff_t, true)                                                                               \
    X(size_t, size_t, false)                                                                                 \
    X(uint8_t, u8, false)                                                                                    \
    X(uint16_t, u16, false)                                                                                  \
    X(uint32_t, u32, false)                                                                                  \
    X(uint64_t, u64, false)                                                                                  \
    X(int8_t, s8, true)                                                                                      \
    X(int16_t, s16, true)                                                                                    \
    X(int32_t, s32, true)                                                                                    \
    X(int64_t, s64, true)

#define MZ_NONDET_BOOL(X) X(bool) X(_Bool)

/* A pointer is NULL, or one to where nothing ever is. */
#define MZ_NONDET_NOWHERE ((void *)0x1000)

/* The range, and what it becomes, up and down, while assumptions prune all that begins with it. */
enum { MZ_NONDET_LOW = -1, MZ_NONDET_HIGH = 2, MZ_NONDET_WIDEST = 65536 };

static inline int64_t mz_nondet_wider(int64_t high)
{
    return high < 16 ? 16 : high * 16;
}

/* Nobody has chosen it. */
static inline bool mz_nondet_is_usual(int64_t low, int64_t high)
{
    int64_t width = 0;
    while (width < high && width < MZ_NONDET_WIDEST)
        width = mz_nondet_wider(width);
    return (low == MZ_NONDET_LOW && high == MZ_NONDET_HIGH) || (width == high && low == -high);
}

/* The limits of a type of so many bytes (those of floating point numbers are wider). */
static inline void mz_nondet_limits(bool has_negative, size_t bytes, int64_t *least, int64_t *most)
{
    unsigned bits = 8 * (unsigned)bytes - has_negative;
    *most = bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
    *least = has_negative ? -*most - 1 : 0;
}

/* What the range is for such a type. */
static inline void mz_nondet_range(bool has_negative, size_t bytes, int64_t *low, int64_t *high)
{
    int64_t least, most;
    mz_nondet_limits(has_negative, bytes, &least, &most);
    if (bytes == 1 && (mz_nondet_is_usual(*low, *high) || *low > most || *high < least)) {
        *low = least;
        *high = most;
    }
    if (!has_negative && *low < 0)
        *low = 0;
    if (*high < *low)
        *high = *low;
    *low = *low < least ? least : *low > most ? most : *low;
    *high = *high > most ? most : *high < least ? least : *high;
}

#endif
