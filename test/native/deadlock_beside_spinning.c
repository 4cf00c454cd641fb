// Two threads wait for each other's locks while a third one spins on what nobody changes: a deadlock and a livelock, each
// found where it is asked for. WAITS: for a signal that does not come. HOLDS: for a lock that the spinning thread has, and
// whose next holder would have ended its loop: told as a livelock, but the one who waits is in a deadlock, too. Main, which
// only waits for the end of a thread that spins, is in none (ALONE).
// args: --check=deadlocks
// expect: unsafe deadlock *
// args: --check=livelocks
// expect: unsafe livelock 35
// expect: unsafe deadlock * or livelock *
// args: --all-errors
// expect: unsafe deadlock * livelock 35
// args: --check=deadlocks -DWAITS
// expect: unsafe deadlock *
// args: --check=deadlocks -DHOLDS
// expect: unsafe deadlock *
// args: -DHOLDS
// expect: unsafe livelock 35
// args: --check=deadlocks -DALONE
// expect: safe
// args: --check=livelocks -DALONE
// expect: unsafe livelock 35
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static int signalled;

static void *spin(void *a)
{
#ifdef HOLDS
    pthread_mutex_lock(&m);
#endif
    while (!atomic_load(&flag))
        ;
    return a;
}

static void *first(void *a)
{
#ifdef WAITS
    pthread_mutex_lock(&m);
    while (!signalled)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
#elif defined HOLDS
    pthread_mutex_lock(&m);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&m);
#elif !defined ALONE
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
#endif
    return a;
}

static void *second(void *a)
{
#if !defined WAITS && !defined HOLDS && !defined ALONE
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
#endif
    return a;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, spin, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    (void)n, (void)m, (void)c, (void)signalled;
    return 0;
}
// compilers: clang, asked to optimise, makes an endless loop of one that spins on a variable of its own file
