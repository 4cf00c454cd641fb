/* For litmus tests: operations whose orders are chosen at the beginning, so that one search does for every combination of
 * them. order(k) is 0 relaxed, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst; of a fence 0 is none. The header LITMUS, which is
 * written for the test, says which orders there are, and with which of their combinations the outcome is allowed:
 *   COUNTS, how many there are for each k; ORDERS, what they are; ALLOWED, a 0 or 1 for each combination; SOME_ALLOWED.
 * No execution may have an outcome that is not allowed. How many have one that is, is counted: others do not count. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "mazurka.h"
#include LITMUS

static const int counts[] = {COUNTS}, choices[][5] = {ORDERS};
static const unsigned char allowed[] = {ALLOWED};
static int orders[sizeof counts / sizeof *counts];
#define order(k) (orders[k])

/* Returns the number of the combination. */
static unsigned choose_orders(void)
{
    unsigned number = 0;
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
        int which = mz_choose(0, counts[k] - 1);
        orders[k] = choices[k][which];
        number = number * (unsigned)counts[k] + (unsigned)which;
    }
    return number;
}

static __attribute__((unused)) int load(atomic_int *x, int o)
{
    switch (o) {
    case 0: return atomic_load_explicit(x, memory_order_relaxed);
    case 2: return atomic_load_explicit(x, memory_order_acquire);
    default: return atomic_load_explicit(x, memory_order_seq_cst);
    }
}

static __attribute__((unused)) void store(atomic_int *x, int value, int o)
{
    switch (o) {
    case 0: atomic_store_explicit(x, value, memory_order_relaxed); break;
    case 3: atomic_store_explicit(x, value, memory_order_release); break;
    default: atomic_store_explicit(x, value, memory_order_seq_cst);
    }
}

static __attribute__((unused)) int add(atomic_int *x, int value, int o)
{
    switch (o) {
    case 0: return atomic_fetch_add_explicit(x, value, memory_order_relaxed);
    case 2: return atomic_fetch_add_explicit(x, value, memory_order_acquire);
    case 3: return atomic_fetch_add_explicit(x, value, memory_order_release);
    case 4: return atomic_fetch_add_explicit(x, value, memory_order_acq_rel);
    default: return atomic_fetch_add_explicit(x, value, memory_order_seq_cst);
    }
}

/* A compare-exchange that cannot succeed: what it reads, with the order of a failure. */
static __attribute__((unused)) int fail(atomic_int *x, int o)
{
    int expected = -1;
    switch (o) {
    case 0: atomic_compare_exchange_strong_explicit(x, &expected, 0, memory_order_acq_rel, memory_order_relaxed); break;
    case 2: atomic_compare_exchange_strong_explicit(x, &expected, 0, memory_order_acq_rel, memory_order_acquire); break;
    default: atomic_compare_exchange_strong_explicit(x, &expected, 0, memory_order_seq_cst, memory_order_seq_cst);
    }
    return expected;
}

static __attribute__((unused)) void fence(int o)
{
    switch (o) {
    case 0: break;
    case 2: atomic_thread_fence(memory_order_acquire); break;
    case 3: atomic_thread_fence(memory_order_release); break;
    case 4: atomic_thread_fence(memory_order_acq_rel); break;
    default: atomic_thread_fence(memory_order_seq_cst);
    }
}

static atomic_int x, y, z;
static int r0, r1, r2, r3;

#define THREAD(number, ...) static void *thread##number(void *u) { __VA_ARGS__ return u; }

/* Runs the threads; the outcome, looked at when they have ended, is what the test is about. */
#define OUTCOME(count, ...)                                                                                            \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        void *(*const threads[])(void *) = {THREADS};                                                                  \
        pthread_t t[count];                                                                                            \
        unsigned number = choose_orders();                                                                             \
        for (int i = 0; i < count; i++)                                                                                \
            pthread_create(&t[i], 0, threads[i], 0);                                                                   \
        for (int i = 0; i < count; i++)                                                                                \
            pthread_join(t[i], 0);                                                                                     \
        (void)r0, (void)r1, (void)r2, (void)r3, (void)z, (void)y;                                                      \
        if (SOME_ALLOWED)                                                                                              \
            mz_assume(__VA_ARGS__);                                                                                    \
        assert(!(__VA_ARGS__) || allowed[number]);                                                                     \
    }
