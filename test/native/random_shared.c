// rand() is one sequence of the whole process, the one of glibc: two threads do not draw the same number, and which of them
// has the first one is decided by the schedule. Drawing orders nothing else.
// expect: safe traces=2 full=yes
// args: -DFIRST
// expect: unsafe assertion 33
// args: -DORDERS
// expect: unsafe data-race *
// args: -DSTATE
// expect: safe traces=1
// args: -DDRAND
// expect: safe traces=2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static long drawn[2];
static int plain;
static void *draw(void *a)
{
    long *to = a;
#ifdef STATE
    unsigned seed = 1;
    *to = rand_r(&seed);
#elif defined DRAND
    *to = lrand48();
#elif defined ORDERS
    plain++;
    *to = rand();
#else
    *to = to == drawn ? rand() : random();
#endif
    return a;
}
static void look(void) { assert(drawn[0] == 1804289383); }
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, draw, &drawn[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
#ifdef STATE
    assert(drawn[0] == drawn[1] && plain == 0);
#else
    assert(drawn[0] != drawn[1]);
#endif
#ifdef FIRST
    look();
#elif !defined STATE && !defined DRAND
    assert(drawn[0] == 1804289383 || drawn[1] == 1804289383);
    assert(drawn[0] == 846930886 || drawn[1] == 846930886);
    srand(7);
    int one = rand();
    srand(7);
    assert(rand() == one);
#endif
    (void)look;
    return 0;
}
