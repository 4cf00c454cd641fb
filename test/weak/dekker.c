/* Dekker's entry protocol: both threads cannot be inside. seq_cst fences make it right; nothing weaker does. */
// expect: safe
// args: -DFENCE1=acq_rel
// expect: unsafe data-race
// args: -DFENCE2=none
// expect: unsafe data-race
#include "weak.h"
#ifndef FENCE1
#define FENCE1 seq
#endif
#ifndef FENCE2
#define FENCE2 seq
#endif
static atomic_int wants[2];
static int inside;
static void *first(void *u)
{
    atomic_store_explicit(&wants[0], 1, rlx);
    FENCE(FENCE1);
    if (!atomic_load_explicit(&wants[1], rlx))
        inside++;
    return u;
}
static void *second(void *u)
{
    atomic_store_explicit(&wants[1], 1, rlx);
    FENCE(FENCE2);
    if (!atomic_load_explicit(&wants[0], rlx))
        inside++;
    return u;
}
int main(void)
{
    run_two(first, second);
}
