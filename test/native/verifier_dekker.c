// Dekker's mutual exclusion through atomic sections, a waiting loop inside another one. If the turn is given
// to the wrong thread, the first waits for ever.
// expect: safe
// args: -DBUG
// expect: unsafe livelock 9
#include <assert.h>
#include <pthread.h>

#include "verifier_sections.h"

static int flag1, flag2, turn;
volatile int x;

static void *one(void *a)
{
    set(&flag1, 1);
    while (get(&flag2) >= 1)
        if (get(&turn) != 0) {
            set(&flag1, 0);
            while (get(&turn) != 0)
                ;
            set(&flag1, 1);
        }
    x = 0;
    assert(x <= 0);
    set(&turn, 1);
    set(&flag1, 0);
    return a;
}

static void *two(void *a)
{
    set(&flag2, 1);
    while (get(&flag1) >= 1)
        if (get(&turn) != 1) {
            set(&flag2, 0);
            while (get(&turn) != 1)
                ;
            set(&flag2, 1);
        }
    x = 1;
    assert(x >= 1);
#ifdef BUG
    set(&turn, 1);
#else
    set(&turn, 0);
#endif
    set(&flag2, 0);
    return a;
}

int main(void)
{
    run_both(one, two);
}
