/* A set of threads, one bit each: a word, or sixteen of them.
 *
 * Nearly all programs have 64 threads at most, and sets are copied and looked through at every step: one word
 * is what that takes least time with. So all sources are compiled twice, with one word (mazurka) and with
 * MZ_WIDE (mazurka-wide), which mazurka starts in its place when a program turns out to have more threads
 * (session/process/wide.c). Nothing is decided while a search runs, and what one word costs is what it did
 * before.
 *
 * Both kinds have | & ~ and assignment; all else is a function here. (Wide sets are vectors, which have no
 * other operators: what is written for words only does not compile.) */
#ifndef MZ_MACHINE_THREADS_H
#define MZ_MACHINE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

enum { MZ_THREAD_BITS = 6, MZ_WIDE_THREAD_BITS = 10, MZ_WIDE_THREADS = 1 << MZ_WIDE_THREAD_BITS };

#ifndef MZ_WIDE
#define MZ_MAX_THREADS 64

typedef uint64_t mz_threads;
typedef uint8_t mz_thread_number; /* of a thread, where there are many to keep */
#define MZ_NO_THREADS ((mz_threads)0)

static inline bool mz_threads_any(mz_threads set)
{
    return set != 0;
}

static inline mz_threads mz_threads_of(uint32_t thread)
{
    return (mz_threads)1 << thread;
}

static inline bool mz_threads_has(mz_threads set, uint32_t thread)
{
    return (set >> thread) & 1;
}

/* The lowest-numbered thread of a non-empty set. */
static inline uint32_t mz_threads_first(mz_threads set)
{
    return (uint32_t)__builtin_ctzll(set);
}

/* The highest-numbered one. */
static inline uint32_t mz_threads_last(mz_threads set)
{
    return 63 - (uint32_t)__builtin_clzll(set);
}

static inline uint32_t mz_threads_count(mz_threads set)
{
    return (uint32_t)__builtin_popcountll(set);
}

/* All but the lowest-numbered one. */
static inline mz_threads mz_threads_rest(mz_threads set)
{
    return set & (set - 1);
}

static inline bool mz_threads_equal(mz_threads a, mz_threads b)
{
    return a == b;
}

/* Those that come after a thread; after all of them there is nobody. */
static inline mz_threads mz_threads_after(mz_threads set, uint32_t thread)
{
    return thread >= 63 ? 0 : set & ~(((mz_threads)2 << thread) - 1);
}

#else
#define MZ_MAX_THREADS MZ_WIDE_THREADS

enum { MZ_THREAD_WORDS = MZ_WIDE_THREADS / 64 };
typedef uint16_t mz_thread_number;
typedef uint64_t mz_threads __attribute__((vector_size(MZ_WIDE_THREADS / 8), aligned(8)));
#define MZ_NO_THREADS  ((mz_threads){0})

static inline uint32_t mz_threads_words(mz_threads set, uint32_t from)
{
    while (from < MZ_THREAD_WORDS && !set[from])
        from++;
    return from;
}

static inline bool mz_threads_any(mz_threads set)
{
    return mz_threads_words(set, 0) < MZ_THREAD_WORDS;
}

static inline mz_threads mz_threads_of(uint32_t thread)
{
    mz_threads set = {0};
    set[thread >> 6] = UINT64_C(1) << (thread & 63);
    return set;
}

static inline bool mz_threads_has(mz_threads set, uint32_t thread)
{
    return set[thread >> 6] >> (thread & 63) & 1;
}

static inline uint32_t mz_threads_first(mz_threads set)
{
    uint32_t word = mz_threads_words(set, 0);
    return word * 64 + (uint32_t)__builtin_ctzll(set[word]);
}

static inline uint32_t mz_threads_last(mz_threads set)
{
    uint32_t word = MZ_THREAD_WORDS - 1;
    while (!set[word])
        word--;
    return word * 64 + 63 - (uint32_t)__builtin_clzll(set[word]);
}

static inline uint32_t mz_threads_count(mz_threads set)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < MZ_THREAD_WORDS; word++)
        count += (uint32_t)__builtin_popcountll(set[word]);
    return count;
}

static inline mz_threads mz_threads_rest(mz_threads set)
{
    uint32_t word = mz_threads_words(set, 0);
    if (word < MZ_THREAD_WORDS)
        set[word] &= set[word] - 1;
    return set;
}

static inline bool mz_threads_equal(mz_threads a, mz_threads b)
{
    return !mz_threads_any(a ^ b);
}

static inline mz_threads mz_threads_after(mz_threads set, uint32_t thread)
{
    for (uint32_t word = 0; word < MZ_THREAD_WORDS && word * 64 <= thread; word++)
        set[word] &= thread >= word * 64 + 63 ? 0 : ~((UINT64_C(2) << (thread & 63)) - 1);
    return set;
}
#endif

_Static_assert(MZ_MAX_THREADS <= 1 << 8 * sizeof(mz_thread_number), "every thread has a number");

#define MZ_ALL_THREADS (~MZ_NO_THREADS)

/* for (each thread t in set) */
#define MZ_FOR_EACH_THREAD(t, set)                                                                           \
    for (mz_threads t##_rest = (set); mz_threads_any(t##_rest); t##_rest = MZ_NO_THREADS)                    \
        for (uint32_t t; mz_threads_any(t##_rest) && (t = mz_threads_first(t##_rest), 1);                    \
             t##_rest = mz_threads_rest(t##_rest))

#endif
