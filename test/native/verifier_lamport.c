// Lamport's fast mutual exclusion through atomic sections: loops that begin again from several places.
// expect: safe
#include <assert.h>
#include <pthread.h>

#include "verifier_sections.h"

static int x, y, b1, b2;
volatile int X;

static void *one(void *a)
{
    for (;;) {
        set(&b1, 1);
        set(&x, 1);
        if (get(&y) != 0) {
            set(&b1, 0);
            while (get(&y) != 0)
                ;
            continue;
        }
        set(&y, 1);
        if (get(&x) != 1) {
            set(&b1, 0);
            while (get(&b2) >= 1)
                ;
            if (get(&y) != 1) {
                while (get(&y) != 0)
                    ;
                continue;
            }
        }
        break;
    }
    X = 0;
    assert(X <= 0);
    set(&y, 0);
    set(&b1, 0);
    return a;
}

static void *two(void *a)
{
    for (;;) {
        set(&b2, 1);
        set(&x, 2);
        if (get(&y) != 0) {
            set(&b2, 0);
            while (get(&y) != 0)
                ;
            continue;
        }
        set(&y, 2);
        if (get(&x) != 2) {
            set(&b2, 0);
            while (get(&b1) >= 1)
                ;
            if (get(&y) != 2) {
                while (get(&y) != 0)
                    ;
                continue;
            }
        }
        break;
    }
    X = 1;
    assert(X >= 1);
    set(&y, 0);
    set(&b2, 0);
    return a;
}

int main(void)
{
    run_both(one, two);
}
