/* Whether it goes wrong is decided in the first steps; what follows has more orders than anybody can try. A search that goes depth
 * first would not come back to the beginning for years. Once in some executions that are tried at random it is met. */
// args: --timeout=20s
// expect: unsafe assertion 24
// args: -DCHOICE --timeout=20s
// expect: unsafe assertion 24
// args: -DDEADLOCK --timeout=20s
// expect: unsafe deadlock *
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int early, x;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *works(void *arg)
{
#ifdef CHOICE
    if (mz_choose(0, 7) == 5)
        early = 0;
    else
#endif
        assert(early != 1);
    for (int i = 0; i < 6; i++)
        x = 2 * x + 1;
    return arg;
}

static void *sets(void *arg)
{
#ifndef DEADLOCK
    early = 1;
    early = 2;
#endif
    return works(arg);
}

static void *locks(void *first)
{
    pthread_mutex_t *one = first ? &a : &b, *other = first ? &b : &a;
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
    return works(first);
}

int main(void)
{
    pthread_t threads[4];
#ifdef DEADLOCK
    void *(*const functions[])(void *) = {locks, locks, works, works};
#else
    void *(*const functions[])(void *) = {works, sets, works, works};
#endif
    (void)locks;
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, functions[i], (void *)(i & 1));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
