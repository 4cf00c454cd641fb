// A lock by tickets, drawn by compare-and-swap in a function that is an atomic section. Who goes on after a
// failure has the same ticket as another.
// expect: safe
// args: -DBUG
// expect: unsafe livelock 31
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned next, now;
static int c;

static unsigned __VERIFIER_atomic_fetch_and_inc(void)
{
    return next++;
}

static void __VERIFIER_atomic_cas(volatile unsigned *v, unsigned e, unsigned u, unsigned *r)
{
    if (*v == e) {
        *v = u;
        *r = 1;
    } else
        *r = 0;
}

static unsigned get(unsigned *p)
{
    __VERIFIER_atomic_begin();
    unsigned v = *p;
    __VERIFIER_atomic_end();
    return v;
}

static void lock(void)
{
    unsigned mine, ok;
#ifdef BUG
    mine = get(&next);
    __VERIFIER_atomic_cas(&next, mine, mine + 1, &ok);
#else
    do {
        mine = get(&next);
        __VERIFIER_atomic_cas(&next, mine, mine + 1, &ok);
    } while (!ok);
#endif
    while (get(&now) != mine)
        ;
}

static void unlock(void)
{
    __VERIFIER_atomic_begin();
    now++;
    __VERIFIER_atomic_end();
}

static void *worker(void *a)
{
    lock();
    __VERIFIER_atomic_begin();
    c++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    int only = c == 1;
    c--;
    __VERIFIER_atomic_end();
    assert(only);
    unlock();
    return a;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
