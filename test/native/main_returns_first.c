// Main returns while a thread still waits for a semaphore in its frame. In the checker threads run on after that, for
// what they do they could have done before: so what they see of the frame is as main has left it.
// expect: unsafe data-race *
// args: --cflags=-O0
// expect: unsafe data-race *
// args: --cflags=-O2
// expect: unsafe data-race *
// args: -DORDERED
// expect: safe
// args: -DORDERED --cflags=-O0
// expect: safe
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int x;

static void *waits(void *semaphore)
{
    sem_wait(semaphore);
    x = 2;
    return 0;
}

static void at_exit(void)
{
    volatile char much[4096];
    for (size_t i = 0; i < sizeof much; i++)
        much[i] = 1;
}

int main(void)
{
    sem_t semaphore;
    pthread_t t;
    atexit(at_exit);
    sem_init(&semaphore, 0, 0);
    pthread_create(&t, 0, waits, &semaphore);
#ifdef ORDERED
    x = 1;
    sem_post(&semaphore);
#else
    sem_post(&semaphore);
    x = 1;
#endif
    return 0;
}
