// A wait with a time limit that waits again unless the time is up, beside a broadcast that changes nothing it looks at: a
// wait that has ended by itself is no round without effect, because there is only one such.
// args: --spurious
// expect: safe full=yes
// args: --spurious -DFLAG
// expect: safe full=yes
// expect: safe full=yes
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;

static void *wait_for_flag(void *a)
{
    struct timespec at = {1, 0};
    int r = 0;
    pthread_mutex_lock(&m);
    while (!flag && r == 0)
        r = pthread_cond_timedwait(&c, &m, &at);
    pthread_mutex_unlock(&m);
    return a;
}

static void *wake(void *a)
{
#ifdef FLAG
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
#endif
    pthread_cond_broadcast(&c);
    return a;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, wait_for_flag, 0);
    pthread_create(&t, 0, wake, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
