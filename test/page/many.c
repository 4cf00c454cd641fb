/* A counterexample of more than 5,000 events. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, last;

static void *work(void *number)
{
    for (int i = 0; i < 2600; i++)
        atomic_fetch_add(&count, 1);
    atomic_store(&last, atomic_load(&count) + (int)(long)number);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(last == 0);
    return 0;
}
