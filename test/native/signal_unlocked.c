// Who changes what others wait for without their mutex, and signals, can come between look and wait. The signal after the mutex was
// given back is fine.
// expect: safe warns=signal-unlocked:28
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static atomic_int done;
static int ready;

static void *waiter(void *argument)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&change, &lock);
    struct timespec soon = {0};
    if (!done)
        pthread_cond_timedwait(&change, &lock, &soon);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *careless(void *argument)
{
    done = 1;
    pthread_cond_signal(&change);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waiter, NULL);
    pthread_create(&threads[1], NULL, careless, NULL);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&change);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
