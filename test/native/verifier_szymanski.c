// Szymanski's mutual exclusion; every look at a flag is an atomic section of its own, in loops that wait.
// Without its last wait the second thread comes in while the first is there.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 26
#include <assert.h>
#include <pthread.h>

#include "verifier_sections.h"

static int flag1, flag2;
volatile int x;

static void *one(void *a)
{
    set(&flag1, 1);
    while (get(&flag2) >= 3)
        ;
    set(&flag1, 3);
    if (get(&flag2) == 1) {
        set(&flag1, 2);
        while (get(&flag2) != 4)
            ;
    }
    set(&flag1, 4);
    x = 0;
    assert(x <= 0);
    {
        int f;
        while (2 <= (f = get(&flag2)) && f <= 3)
            ;
    }
    set(&flag1, 0);
    return a;
}

static void *two(void *a)
{
    set(&flag2, 1);
    while (get(&flag1) >= 3)
        ;
    set(&flag2, 3);
    if (get(&flag1) == 1) {
        set(&flag2, 2);
        while (get(&flag1) != 4)
            ;
    }
    set(&flag2, 4);
#ifndef BUG
    while (get(&flag1) >= 2)
        ;
#endif
    x = 1;
    assert(x >= 1);
    set(&flag2, 0);
    return a;
}

int main(void)
{
    run_both(one, two);
}
