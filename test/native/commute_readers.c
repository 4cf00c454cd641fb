// Readers of a read-write lock commute; 4 of them: 2520 orders of 8 operations, each reader's in order.
// expect: safe traces=2520 refined=1
// args: -DN=3 -DWRITERS=1
// expect: safe traces=216 refined=8
// args: -DN=8 --relation=-classes --max-traces=100
// expect: incomplete 100 traces
#include <pthread.h>

#ifndef N
#define N 4
#endif
#ifndef WRITERS
#define WRITERS 0
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *result)
{
    pthread_rwlock_rdlock(&lock);
    *(int *)result = value;
    pthread_rwlock_unlock(&lock);
    return 0;
}

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[N + WRITERS];
    int seen[N];
    for (int i = 0; i < N + WRITERS; i++)
        pthread_create(&threads[i], 0, i < N ? reader : writer, i < N ? &seen[i] : 0);
    for (int i = 0; i < N + WRITERS; i++)
        pthread_join(threads[i], 0);
}
