// One look, or one change, as an atomic section of its own; and two threads to make them.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int get(int *p)
{
    __VERIFIER_atomic_begin();
    int v = *p;
    __VERIFIER_atomic_end();
    return v;
}

static void set(int *p, int v)
{
    __VERIFIER_atomic_begin();
    *p = v;
    __VERIFIER_atomic_end();
}

static void run_both(void *(*one)(void *), void *(*two)(void *))
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
