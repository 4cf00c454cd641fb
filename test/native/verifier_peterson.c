// Peterson's mutual exclusion: one round of the waiting loop is two atomic sections. Without the flag of the
// second thread both can be in.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 59
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int flag1, flag2, turn;
volatile int x;

static void *one(void *a)
{
    __VERIFIER_atomic_begin();
    flag1 = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    turn = 1;
    __VERIFIER_atomic_end();
    int f, t;
    do {
        __VERIFIER_atomic_begin();
        f = flag2;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        t = turn;
        __VERIFIER_atomic_end();
    } while (f == 1 && t == 1);
    x = 0;
    assert(x <= 0);
    __VERIFIER_atomic_begin();
    flag1 = 0;
    __VERIFIER_atomic_end();
    return a;
}

static void *two(void *a)
{
#ifndef BUG
    __VERIFIER_atomic_begin();
    flag2 = 1;
    __VERIFIER_atomic_end();
#endif
    __VERIFIER_atomic_begin();
    turn = 0;
    __VERIFIER_atomic_end();
    int f, t;
    do {
        __VERIFIER_atomic_begin();
        f = flag1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        t = turn;
        __VERIFIER_atomic_end();
    } while (f == 1 && t == 0);
    x = 1;
    assert(x >= 1);
    __VERIFIER_atomic_begin();
    flag2 = 0;
    __VERIFIER_atomic_end();
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
