// A local variable whose bytes are also accessed one by one is told as one number, and by its name though its function ends.
// options: --check=assertions
// fails: assertion failed: seen != 1
// says: own of T1: 0 → 1
// says: a local variable of T1 is gone
// decides: return own
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(char *) shared;

static int count(void)
{
    int own = 0;
    atomic_store(&shared, (char *)&own);
    own++;
    return own;
}

static void *counts(void *unused)
{
    int seen = count();
    assert(seen != 1);
    return unused;
}

static void *clears(void *unused)
{
    char *p = atomic_load(&shared);
    if (p)
        *p = 0;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, counts, NULL);
    pthread_create(&threads[1], NULL, clears, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
