/* A ticket lock: drawing a number is relaxed; leaving releases, seeing one's number acquires. */
// expect: safe
// args: -DLEAVE=rlx
// expect: unsafe data-race
// args: -DSEE=rlx
// expect: unsafe data-race
#include "weak.h"
#ifndef LEAVE
#define LEAVE rel
#endif
#ifndef SEE
#define SEE acq
#endif
static atomic_int next, serving;
static int counter;
static void *worker(void *u)
{
    int mine = atomic_fetch_add_explicit(&next, 1, rlx);
    while (atomic_load_explicit(&serving, SEE) != mine)
        ;
    counter++;
    atomic_store_explicit(&serving, mine + 1, LEAVE);
    return u;
}
int main(void)
{
    run_two(worker, worker);
    assert(counter == 2);
}
