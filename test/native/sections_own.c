// Critical sections of one mutex that touch different data: they have no order, one trace. With the published
// relation lock and unlock are ordered, N! of them. Of the last case each pair conflicts.
// expect: safe traces=1 observations=24
// args: -DN=8
// expect: safe traces=1 observations=40320
// args: --relation=published
// expect: safe traces=24
// args: --relation=-locks
// expect: safe traces=24
// args: -DSAME
// expect: safe traces=24
#include <pthread.h>

#ifndef N
#define N 4
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int a[N];

static void *work(void *argument)
{
    long own = (long)argument;
#ifdef SAME
    own = 0;
#endif
    pthread_mutex_lock(&mutex);
    a[own]++;
    pthread_mutex_unlock(&mutex);
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
