/* For the programs here: names for memory orders, and threads. Each order is a macro, so that it can be weakened. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define acq_rel memory_order_acq_rel
#define seq memory_order_seq_cst
#define none 99
#define FENCE(order)                                                                                                   \
    do                                                                                                                 \
        if (order != none)                                                                                             \
            atomic_thread_fence(order);                                                                                \
    while (0)

static __attribute__((unused)) void run_two(void *(*f)(void *), void *(*g)(void *))
{
    pthread_t t, u;
    pthread_create(&t, 0, f, (void *)0);
    pthread_create(&u, 0, g, (void *)1);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
