// Atomic sections that only read order nothing: two of them happen in any order, and what comes before the one races with
// what comes after the other. The same for a section and an atomic load (LOAD), and for one that does not write what it
// could have written (BRANCH). A section that writes what the other one reads does order them (WRITES).
// expect: unsafe data-race 25|52
// args: -DLOAD
// expect: unsafe data-race 25|52
// args: -DBRANCH
// expect: unsafe data-race 25|52
// args: -DWRITES
// expect: safe full=yes
// args: --check=assertions
// expect: unsafe assertion 52
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int p;
static atomic_int q;

static void *first(void *a)
{
    p = 1;
    __VERIFIER_atomic_begin();
#ifdef WRITES
    q = 1;
#elif defined BRANCH
    if (q == 2)
        q = 1;
#else
    int seen = q;
    (void)seen;
#endif
    __VERIFIER_atomic_end();
    return a;
}

static void *second(void *a)
{
#ifdef LOAD
    int seen = q;
#else
    __VERIFIER_atomic_begin();
    int seen = q;
    __VERIFIER_atomic_end();
#endif
#ifdef WRITES
    if (seen == 1)
#endif
        assert(p == 1);
    (void)seen;
    return a;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
