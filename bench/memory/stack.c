/* Treiber's stack: N threads push, then pop. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
typedef struct node {
    struct node *next;
    int value;
} node;
static _Atomic(node *) head;
static node nodes[N];
static void *worker(void *u)
{
    node *n = u;
    n->value = 1;
    node *old = atomic_load_explicit(&head, memory_order_relaxed);
    do
        n->next = old;
    while (!atomic_compare_exchange_weak_explicit(&head, &old, n, memory_order_release, memory_order_relaxed));
    old = atomic_load_explicit(&head, memory_order_acquire);
    while (old && !atomic_compare_exchange_weak_explicit(&head, &old, old->next, memory_order_acq_rel, memory_order_acquire))
        ;
    return u;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, &nodes[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
