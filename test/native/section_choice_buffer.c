// A store that a choice in its atomic section may hold back, as a store buffer would: then both threads can
// read the old values, and only then.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 56
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

int x, y, p0, p1, weak0, weak1, buffered, buffer;

static void *one(void *a)
{
    __VERIFIER_atomic_begin();
    weak0 = __VERIFIER_nondet_bool();
    if (weak0) {
        buffer = 1;
        buffered = 1;
    } else
        x = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    p0 = y;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    if (buffered) {
        x = buffer;
        buffered = 0;
    }
    __VERIFIER_atomic_end();
    return a;
}

static void *two(void *a)
{
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    p1 = x;
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
#ifdef BUG
    assert(!(p0 == 0 && p1 == 0));
#else
    assert(weak0 || !(p0 == 0 && p1 == 0));
#endif
}
