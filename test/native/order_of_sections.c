/* Who was there last, and before that, stands in x: every order leaves another value behind. With N = 4 there are far too many. */
// expect: safe traces=6
// args: -DN=4 --timeout=2s
// expect: incomplete the time limit
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned x;

static void *work(void *number)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        x = N * x + (unsigned)(long)number;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
