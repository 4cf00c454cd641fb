/* A set of threads, one bit each. Widening it to more than 64 threads is a change of this file alone. */
#ifndef MZ_CORE_THREADS_H
#define MZ_CORE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#define MZ_MAX_THREADS 64

typedef uint64_t mz_threads;

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

/* for (each thread t in set) */
#define MZ_FOR_EACH_THREAD(t, set)                                                                           \
    for (mz_threads t##_rest = (set); t##_rest; t##_rest = 0)                                                \
        for (uint32_t t; t##_rest && (t = mz_threads_first(t##_rest), 1); t##_rest &= t##_rest - 1)

#endif
