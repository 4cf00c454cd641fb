// An interrupt may come, by choice, once it is enabled. If it does not look whether it is, it may come
// before the device is ready.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 21
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

int enabled, handled, ready;

static void *device(void *a)
{
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
#ifdef BUG
        if (__VERIFIER_nondet_bool()) {
            assert(ready);
            handled++;
        }
#else
        if (enabled && __VERIFIER_nondet_bool()) {
            assert(ready);
            handled++;
        }
#endif
        __VERIFIER_atomic_end();
    }
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, device, 0);
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    enabled = 1;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
    assert(handled <= 2);
}
