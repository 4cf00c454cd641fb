/* The queue of Michael and Scott: what is linked is published with a release, and followed with an acquire. */
// expect: safe
// args: -DLINK=rlx
// expect: unsafe data-race
// args: -DFOLLOW=rlx
// expect: unsafe data-race
#include "weak.h"
#ifndef LINK
#define LINK rel
#endif
#ifndef FOLLOW
#define FOLLOW acq
#endif
typedef struct node {
    _Atomic(struct node *) next;
    int value;
} node;
static node dummy, nodes[2];
static _Atomic(node *) head = &dummy, tail = &dummy;
static void enqueue(node *n)
{
    for (;;) {
        node *last = atomic_load_explicit(&tail, acq), *next = atomic_load_explicit(&last->next, acq);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, rel, rlx);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, LINK, rlx)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, rel, rlx);
            return;
        }
    }
}
static int dequeue(void)
{
    for (;;) {
        node *first = atomic_load_explicit(&head, acq), *next = atomic_load_explicit(&first->next, FOLLOW);
        if (!next)
            return 0;
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, acq_rel, rlx))
            return value;
    }
}
static int got;
static void *producer(void *u)
{
    nodes[0].value = 1;
    enqueue(&nodes[0]);
    nodes[1].value = 2;
    enqueue(&nodes[1]);
    return u;
}
static void *consumer(void *u)
{
    got = dequeue();
    return u;
}
int main(void)
{
    run_two(producer, consumer);
    assert(got == 0 || got == 1);
}
