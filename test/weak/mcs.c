/* The lock of Mellor-Crummey and Scott: a queue of nodes, each thread waits at its own. */
// expect: safe
// args: -DSWAP=rel
// expect: unsafe data-race
// args: -DPASS=rlx
// expect: unsafe data-race
// args: -DWAIT=rlx
// expect: unsafe data-race
// args: -DFREE=rlx
// expect: unsafe data-race
#include "weak.h"
#ifndef SWAP
#define SWAP acq_rel
#endif
#ifndef PASS
#define PASS rel
#endif
#ifndef WAIT
#define WAIT acq
#endif
#ifndef FREE
#define FREE rel
#endif
typedef struct node {
    _Atomic(struct node *) next;
    atomic_int locked;
} node;
static _Atomic(node *) tail;
static node nodes[2];
static int counter;
static void *worker(void *u)
{
    node *me = &nodes[u != NULL];
    atomic_store_explicit(&me->next, NULL, rlx);
    atomic_store_explicit(&me->locked, 1, rlx);
    node *before = atomic_exchange_explicit(&tail, me, SWAP);
    if (before) {
        atomic_store_explicit(&before->next, me, rel);
        while (atomic_load_explicit(&me->locked, WAIT))
            ;
    }
    counter++;
    node *behind = atomic_load_explicit(&me->next, acq);
    if (!behind) {
        node *expected = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, FREE, rlx))
            return u;
        while (!(behind = atomic_load_explicit(&me->next, acq)))
            ;
    }
    atomic_store_explicit(&behind->locked, 0, PASS);
    return u;
}
int main(void)
{
    run_two(worker, worker);
    assert(counter == 2);
}
