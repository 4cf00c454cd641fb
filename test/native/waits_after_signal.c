// Who was signalled looks at the mutex that it takes again: a plain write to that, after the signal, races with it, also if the mutex
// is given back in the end. One before the signal does not.
// expect: unsafe data-race 29
// args: -DBROADCAST
// expect: unsafe data-race 29
// args: -DBEFORE
// expect: safe
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go, waits;

static void *waiter(void *argument)
{
    pthread_mutex_lock(&m);
    waits = 1;
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return argument;
}

static void touch(void)
{
    char *first = (char *)&m, same = *first;
    (void)same;
    // its state, as it is
    *first = same;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    if (!waits)
        return 0;
    go = 1;
#ifdef BEFORE
    touch();
#endif
#ifdef BROADCAST
    pthread_cond_broadcast(&c);
#else
    pthread_cond_signal(&c);
#endif
#ifndef BEFORE
    touch();
#endif
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
