// A property said by its opposite, when all threads have ended: assume that it does not hold, and call that an error.
// Every execution is pruned then, if the program is right. Not so if nothing has run before the assumption.
// args: -DSUM=3
// expect: safe
// args: -DSUM=2
// expect: unsafe assertion 43
// args: -DEARLY
// expect: incomplete no execution came to its end
// args: -DALONE -DSUM=0
// expect: incomplete no execution came to its end
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *adds(void *a)
{
    pthread_mutex_lock(&m);
    sum += *(int *)a;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    int one = 1, two = 2;
#ifdef EARLY
    __VERIFIER_assume(sum > 0);
#endif
#ifndef ALONE
    pthread_create(&t, 0, adds, &one);
    pthread_create(&u, 0, adds, &two);
    pthread_join(t, 0);
    pthread_join(u, 0);
#endif
#if defined SUM || defined ALONE
    __VERIFIER_assume(sum != SUM);
    reach_error();
#endif
    return 0;
}
