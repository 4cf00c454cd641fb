// A pool is shut down while one of its workers still holds the mutex: glibc refuses (EBUSY) and goes on.
// expect: unsafe lock 26
// args: --check=assertions
// expect: unsafe assertion 27
// args: --check=deadlocks
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static void *worker(void *a)
{
    pthread_mutex_lock(&m);
    sem_post(&done);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&done);
    // one is not enough: the worker may not have come to its unlock
    int refused = pthread_mutex_destroy(&m);
    assert(refused == 0);
    pthread_join(t, NULL);
    return 0;
}
