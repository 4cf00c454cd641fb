// A timer may fire, by choice, only while it is armed by another thread: the choice is there in some
// executions only. It does fire in some.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 53
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

int armed, fired, cancelled;

static void *timer(void *a)
{
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        if (armed && __VERIFIER_nondet_bool()) {
            armed = 0;
            fired = 1;
        }
        __VERIFIER_atomic_end();
    }
    return a;
}

static void *user(void *a)
{
    __VERIFIER_atomic_begin();
    armed = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    if (armed) {
        armed = 0;
        cancelled = 1;
    }
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    assert(fired + cancelled == 1);
    __VERIFIER_atomic_end();
    return a;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, timer, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef BUG
    assert(!fired);
#endif
}
