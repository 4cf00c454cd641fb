// A spin lock is initialised again while threads try it and wait for it: it may become free without being given back, so
// that nothing may be left out because its holder has not done so yet.
// args: --all-errors
// expect: unsafe assertion 24 lock 13 lock 21 lock 23 traces=46
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t s;

static void *first(void *a)
{
    if (pthread_spin_trylock(&s) == 0)
        pthread_spin_unlock(&s);
    return a;
}

static void *second(void *a)
{
    int taken = pthread_spin_trylock(&s) == 0;
    if (taken)
        pthread_spin_unlock(&s);
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
    assert(taken);
    return a;
}

int main(void)
{
    pthread_t t[2];
    pthread_spin_init(&s, 0);
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_spin_init(&s, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
