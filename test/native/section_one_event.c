// An atomic section is one event: who comes after a part of it comes after all of it, whatever the order inside. So what
// it writes last is there for whoever has seen what it writes first; and what it touches first comes after whatever
// it comes to see later. A thread must not end in the middle of one.
// expect: safe full=yes
// args: -DLOAD
// expect: safe full=yes
// args: -DFIRST
// expect: safe full=yes
// args: -DPLAIN
// expect: unsafe data-race *
// args: -DENDS
// expect: unsafe lock *
// args: -DENDS --check=assertions
// expect: incomplete ends inside an atomic section
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int flag, data;

static void *publishes(void *a)
{
#ifdef FIRST
    data = 1;
#endif
    __VERIFIER_atomic_begin();
    flag = 1;
#ifndef FIRST
    data = 1;
#endif
#ifndef ENDS
    __VERIFIER_atomic_end();
#endif
    return a;
}

static void *looks(void *a)
{
#if defined FIRST // what is written first is touched before the flag is read
    __VERIFIER_atomic_begin();
    int before = flag ? data : 1;
    __VERIFIER_atomic_end();
    assert(before == 1);
#elif defined LOAD
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        assert(data == 1);
#elif defined PLAIN
    assert(data == 0 || data == 1);
#else
    __VERIFIER_atomic_begin();
    int seen = flag;
    __VERIFIER_atomic_end();
    if (seen)
        assert(data == 1);
#endif
    return a;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, publishes, 0);
    pthread_create(&u, 0, looks, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
