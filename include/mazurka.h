/* mazurka.h: what a program under test may say to the checker. C and C++.
 *
 * Under `mazurka check` (the macro MAZURKA is defined) the calls are answered by the checker. Compiled in any
 * other way the same program still builds and runs: an assertion is assert(), an assumption that does not
 * hold ends the program quietly, a choice is its smallest value, and the rest does nothing that matters.
 *
 *   #include <mazurka.h>
 *   int items = mz_choose(1, 3);       // explored for 1, 2 and 3
 *   mz_assume(items != 2);             // executions in which this is false are not looked at
 *   mz_assert(sum == items);           // must hold in all others
 */
#ifndef MAZURKA_H
#define MAZURKA_H

#ifdef MAZURKA

#ifdef __cplusplus
extern "C" {
#endif

/* For mz_assert(). */
void mz_assert_failed(const char *expression, const char *file, int line) __attribute__((noreturn));

/* Only executions in which the condition holds count. (Within a function called __VERIFIER_atomic_… the
 * thread waits until it does.)
 */
void mz_assume(int condition);

/* Some number of lo, lo + 1, …, hi: every one is explored. */
int mz_choose(int lo, int hi);

/* No other thread runs between the two. Do not wait for another thread in there. */
void mz_atomic_begin(void);
void mz_atomic_end(void);

/* A point at which other threads may run. In a loop that waits it says: nothing to do here yet. */
void mz_yield(void);

#ifdef __cplusplus
}
#endif

/* Checked in every execution, whatever NDEBUG says. */
#define mz_assert(condition) ((condition) ? (void)0 : mz_assert_failed(#condition, __FILE__, __LINE__))

#else /* without the checker */

#include <assert.h>
#include <sched.h>
#include <stdlib.h>

#define mz_assert(condition) assert(condition)

static inline void mz_assume(int condition)
{
    if (!condition)
        exit(0);
}

static inline int mz_choose(int lo, int hi)
{
    (void)hi;
    return lo;
}

static inline void mz_atomic_begin(void)
{
}

static inline void mz_atomic_end(void)
{
}

static inline void mz_yield(void)
{
    sched_yield();
}

#endif
#endif
