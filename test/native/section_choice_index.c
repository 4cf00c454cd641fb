// The choice in a section decides which location it touches; an assumption there about that location is part
// of it.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 28
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int slots[3], free_ = 3;

static void *taker(void *a)
{
    __VERIFIER_atomic_begin();
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 3);
#ifndef BUG
    __VERIFIER_assume(slots[i] == 0);
#endif
    int was = slots[i];
    slots[i] = 1;
    free_--;
    __VERIFIER_atomic_end();
    assert(was == 0);
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, taker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(free_ == 1);
}
