// Signals that find nobody waiting change nothing: they commute. They do not commute with a wait that begins, nor where
// signals are counted for a wait with a time limit.
// args: -DNOBODY
// expect: safe traces=24 refined=1
// args: -DNOBODY -DBROADCAST
// expect: safe traces=24 refined=1
// args: -DNOBODY -DN=8
// expect: safe traces=1 observations=40320
// args: -DLIMIT -DN=3
// expect: safe traces=12
//
// One waits, N - 1 signal. Who comes before the wait finds nobody, and these have no order: any of the 2^(N - 1) subsets
// that is not all of them, then one that wakes the waiter, and those behind it, who find nobody again. With two: both
// come behind the wait (which of them wakes: 2), one before it (2). With both before it nobody wakes it: 1 (2).
// args: -DWAITS -DN=3
// expect: unsafe deadlock *
// args: -DWAITS -DN=3 --check=assertions
// expect: safe traces=6 refined=5
#include <assert.h>
#include <pthread.h>
#include <time.h>

#ifndef N
#define N 4
#endif
#ifdef BROADCAST
#define SIGNAL pthread_cond_broadcast
#else
#define SIGNAL pthread_cond_signal
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *work(void *argument)
{
#ifdef WAITS
    if (argument) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
        return argument;
    }
#elif defined LIMIT
    struct timespec soon = {0};
    if (argument) {
        pthread_mutex_lock(&mutex);
        pthread_cond_timedwait(&condition, &mutex, &soon);
        pthread_mutex_unlock(&mutex);
        return argument;
    }
#endif
    SIGNAL(&condition);
    return argument;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, i == 0 ? &threads[0] : NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}
