// The bakery for two, through atomic sections. A thread that does not wait while the other one draws its
// number comes in too early.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 27
#include <assert.h>
#include <pthread.h>

#include "verifier_sections.h"

int e1, e2, n1, n2;
volatile int x;

static void *one(void *a)
{
    set(&e1, 1);
    int t = get(&n2);
    set(&n1, t + 1);
    set(&e1, 0);
    while (get(&e2))
        ;
    {
        int o;
        while ((o = get(&n2)) != 0 && o < t + 1)
            ;
    }
    x = 0;
    assert(x == 0);
    set(&n1, 0);
    return a;
}

static void *two(void *a)
{
    set(&e2, 1);
    int t = get(&n1);
    set(&n2, t + 1);
    set(&e2, 0);
#ifndef BUG
    while (get(&e1))
        ;
#endif
    {
        int o;
        while ((o = get(&n1)) != 0 && o <= t + 1)
            ;
    }
    x = 1;
    assert(x == 1);
    set(&n2, 0);
    return a;
}

int main(void)
{
    run_both(one, two);
}
