// Posts of a semaphore commute; a wait depends on each of them: it comes after any one of 4, or more.
// expect: safe traces=24 refined=1
// args: -DWAITS=1
// expect: safe traces=96 refined=15
// args: -DN=8
// expect: safe traces=1 observations=40320
#include <pthread.h>
#include <semaphore.h>

#ifndef WAITS
#define WAITS 0
#endif
#ifndef N
#define N 4
#endif

static sem_t semaphore;

static void *post(void *unused)
{
    sem_post(&semaphore);
    return unused;
}

static void *wait(void *unused)
{
    sem_wait(&semaphore);
    return unused;
}

int main(void)
{
    pthread_t threads[N + WAITS];
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < N + WAITS; i++)
        pthread_create(&threads[i], 0, i < N ? post : wait, 0);
    for (int i = 0; i < N + WAITS; i++)
        pthread_join(threads[i], 0);
}
