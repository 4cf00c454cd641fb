/* Threads that store and load, N times each: as large as litmus tests are. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
static atomic_int x, y;
static void *first(void *u)
{
    for (int i = 1; i <= N; i++) {
        atomic_store_explicit(&x, i, ORDER);
        atomic_load_explicit(&y, ORDER);
    }
    return u;
}
static void *second(void *u)
{
    for (int i = 1; i <= N; i++) {
        atomic_store_explicit(&y, i, ORDER);
        atomic_load_explicit(&x, ORDER);
    }
    return u;
}
static void *third(void *u)
{
    for (int i = 1; i < N; i++)
        atomic_load_explicit(&x, ORDER);
    return u;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
