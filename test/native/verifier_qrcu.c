// Readers count themselves in and out, the updater turns the counters and waits in a loop of sections until
// the old one is zero. Without that wait a reader may be at work before and after.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 63
#include <assert.h>
#include <pthread.h>

#include "verifier_sections.h"

static int idx, ctr1 = 1, ctr2, progress1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void __VERIFIER_atomic_done(int i)
{
    if (i <= 0)
        ctr1--;
    else
        ctr2--;
}

static void *reader(void *a)
{
    int mine;
    for (;;) {
        mine = get(&idx);
        __VERIFIER_atomic_begin();
        int *c = mine <= 0 ? &ctr1 : &ctr2;
        if (*c > 0) {
            (*c)++;
            __VERIFIER_atomic_end();
            break;
        }
        __VERIFIER_atomic_end();
    }
    set(&progress1, 1);
    set(&progress1, 2);
    __VERIFIER_atomic_done(mine);
    return a;
}

static void *updater(void *a)
{
    int before = get(&progress1);
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_begin();
    int old = idx;
    if (old <= 0) {
        ctr2++;
        idx = 1;
        ctr1--;
    } else {
        ctr1++;
        idx = 0;
        ctr2--;
    }
    __VERIFIER_atomic_end();
#ifndef BUG
    while (get(old <= 0 ? &ctr1 : &ctr2) > 0)
        ;
#endif
    pthread_mutex_unlock(&m);
    assert(!(before == 1 && get(&progress1) == 1));
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, updater, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
