// Two store buffers that may be flushed, by choice, in any section: how many choices a section makes depends
// on what the buffers hold by then.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 75
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

int x, y, z, mem[2];
_Bool flush[2];
int buf[2], used[2];

static void maybe_flush(int i, int *p)
{
    if (used[i] && __VERIFIER_nondet_bool()) {
        *p = buf[i];
        used[i] = 0;
    }
}

static void *one(void *a)
{
    __VERIFIER_atomic_begin();
    buf[0] = 1;
    used[0] = 1;
    maybe_flush(0, &x);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    maybe_flush(0, &x);
    mem[0] = y;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    if (used[0])
        x = buf[0];
    used[0] = 0;
    __VERIFIER_atomic_end();
    return a;
}

static void *two(void *a)
{
    __VERIFIER_atomic_begin();
    buf[1] = 1;
    used[1] = 1;
    maybe_flush(1, &y);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#ifndef BUG
    if (used[1]) {
        y = buf[1];
        used[1] = 0;
    }
    if (used[0]) {
        x = buf[0];
        used[0] = 0;
    }
#endif
    mem[1] = x;
    __VERIFIER_atomic_end();
    return a;
}

int main(void)
{
    pthread_t a, b;
    mem[0] = mem[1] = 7;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(mem[0] == 0 && mem[1] == 0));
}
