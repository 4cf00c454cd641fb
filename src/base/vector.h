/* Work on many numbers at once.
 *
 * The compiler turns a loop over eight numbers into vector instructions, if it may use them. A program for
 * every x86-64 may not use much; so the few functions that spend their time in such loops are compiled twice,
 * and the loader picks the version for the processor it runs on. */
#ifndef MZ_BASE_VECTOR_H
#define MZ_BASE_VECTOR_H

#include <stddef.h>
#include <stdint.h>

/* Not with sanitizers, because the loader picks before they are ready; and by gcc alone: clang gives the
 * function that is picked another name than its callers use (version 14 does). */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                                  \
    !defined(__SANITIZE_ADDRESS__) && !defined(__AVX2__)
#define MZ_VECTOR __attribute__((target_clones("avx2", "default")))
#else
#define MZ_VECTOR
#endif

#define MZ_INLINE static inline __attribute__((always_inline))

/* The condition leads to a cold path: the compiler moves that code away from what runs at every event. */
#define MZ_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Thirty-two bytes, wherever they begin. */
typedef uint64_t mz_chunk __attribute__((vector_size(32), aligned(1), may_alias));

/* A multiple of MZ_CLOCK_WIDTH numbers. Signed ones: comparing them is one instruction everywhere. */
enum { MZ_CLOCK_WIDTH = 8 };

MZ_INLINE void mz_copy_clock(uint32_t *to, const uint32_t *from, size_t count)
{
    for (size_t i = 0; i < count; i += MZ_CLOCK_WIDTH)
        *(mz_chunk *)(to + i) = *(const mz_chunk *)(from + i);
}

/* A copy in which one thread's number is another. All is stored at once: what was stored by halves is slow to
 * load as a whole soon after. */
MZ_INLINE void mz_begin_clock(uint32_t *to, const uint32_t *from, size_t count, uint32_t thread,
                              uint32_t number)
{
    typedef uint32_t numbers __attribute__((vector_size(32), aligned(4), may_alias));
    const numbers first = {0, 1, 2, 3, 4, 5, 6, 7};
    _Static_assert(sizeof first == MZ_CLOCK_WIDTH * sizeof *to, "one for each");
    for (size_t i = 0; i < count; i += MZ_CLOCK_WIDTH) {
        numbers own = (numbers)(first == thread - (uint32_t)i);
        *(numbers *)(to + i) = (*(const numbers *)(from + i) & ~own) | (own & number);
    }
}

/* Is any number of `other` greater? */
MZ_INLINE int mz_clock_is_behind(const uint32_t *clock, const uint32_t *other, size_t count)
{
    typedef int32_t numbers __attribute__((vector_size(32), aligned(4), may_alias));
    numbers more = {0};
    for (size_t i = 0; i < count; i += MZ_CLOCK_WIDTH)
        more |= *(const numbers *)(other + i) > *(const numbers *)(clock + i);
    mz_chunk any = (mz_chunk)more;
    return (any[0] | any[1] | any[2] | any[3]) != 0;
}

/* The greater one of each pair. */
MZ_INLINE void mz_join_clock(uint32_t *restrict into, const uint32_t *restrict other, size_t count)
{
    for (size_t i = 0; i < count; i += MZ_CLOCK_WIDTH)
        for (size_t k = i; k < i + MZ_CLOCK_WIDTH; k++) {
            int32_t a = (int32_t)into[k], b = (int32_t)other[k];
            into[k] = (uint32_t)(a > b ? a : b);
        }
}

#endif
