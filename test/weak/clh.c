/* The lock of Craig, Landin and Hagersten: each thread waits at the node of the one before it. */
// expect: safe
// args: -DLEAVE=rlx
// expect: unsafe data-race
// args: -DWAIT=rlx
// expect: unsafe data-race
#include "weak.h"
#ifndef LEAVE
#define LEAVE rel
#endif
#ifndef WAIT
#define WAIT acq
#endif
static atomic_int nodes[3]; /* 1: held, or waited with */
static _Atomic(atomic_int *) tail = &nodes[2];
static int counter;
static void *worker(void *u)
{
    atomic_int *mine = &nodes[u != NULL];
    atomic_store_explicit(mine, 1, rlx);
    atomic_int *before = atomic_exchange_explicit(&tail, mine, acq_rel);
    while (atomic_load_explicit(before, WAIT))
        ;
    counter++;
    atomic_store_explicit(mine, 0, LEAVE);
    return u;
}
int main(void)
{
    run_two(worker, worker);
    assert(counter == 2);
}
