/* Three threads that look at a variable, write to it, and count: many graphs, for the estimate. */
// expect: safe
#include "weak.h"
#ifndef ROUNDS
#define ROUNDS 1
#endif
enum { THREADS = 3 };
static atomic_int last, count;
static void *work(void *u)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (atomic_load_explicit(&last, acq) != THREADS)
            atomic_store_explicit(&last, (int)(size_t)u, rel);
        atomic_fetch_add_explicit(&count, 1, rlx);
    }
    return u;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(atomic_load(&count) == THREADS * ROUNDS);
}
