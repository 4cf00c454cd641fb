/* Peterson's lock, with waiting: flags and turn seq_cst up to the loop, the last store releases. */
// expect: safe
// args: -DFLAG=rel
// expect: unsafe data-race
// args: -DTURN=rel
// expect: unsafe data-race
// args: -DLOOK=acq
// expect: unsafe data-race
// args: -DLEAVE=rlx
// expect: unsafe data-race
#include "weak.h"
#ifndef FLAG
#define FLAG seq
#endif
#ifndef TURN
#define TURN seq
#endif
#ifndef LOOK
#define LOOK seq
#endif
#ifndef LEAVE
#define LEAVE rel
#endif
static atomic_int flag[2], turn;
static int counter;
static void *worker(void *u)
{
    int me = u != NULL, other = 1 - me;
    atomic_store_explicit(&flag[me], 1, FLAG);
    atomic_store_explicit(&turn, other, TURN);
    while (atomic_load_explicit(&flag[other], LOOK) && atomic_load_explicit(&turn, LOOK) == other)
        ;
    counter++;
    atomic_store_explicit(&flag[me], 0, LEAVE);
    return u;
}
int main(void)
{
    run_two(worker, worker);
    assert(counter == 2);
}
