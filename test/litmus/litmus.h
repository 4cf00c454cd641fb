/* For litmus tests: operations whose orders are arguments of the program, so that one compilation does for all of them.
 * order(k) is the k-th argument: 0 relaxed, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst; of a fence 0 is none. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int orders[16];
#define order(k) (orders[k])

static int load(atomic_int *x, int o)
{
    switch (o) {
    case 0: return atomic_load_explicit(x, memory_order_relaxed);
    case 2: return atomic_load_explicit(x, memory_order_acquire);
    default: return atomic_load_explicit(x, memory_order_seq_cst);
    }
}

static void store(atomic_int *x, int value, int o)
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
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        void *(*const threads[])(void *) = {THREADS};                                                                  \
        pthread_t t[count];                                                                                            \
        for (int i = 1; i < argc && i <= 16; i++)                                                                      \
            orders[i - 1] = atoi(argv[i]);                                                                             \
        for (int i = 0; i < count; i++)                                                                                \
            pthread_create(&t[i], 0, threads[i], 0);                                                                   \
        for (int i = 0; i < count; i++)                                                                                \
            pthread_join(t[i], 0);                                                                                     \
        (void)r0, (void)r1, (void)r2, (void)r3, (void)z, (void)y;                                                      \
        assert(!(__VA_ARGS__));                                                                                        \
    }
