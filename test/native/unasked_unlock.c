// A normal mutex that is unlocked by a thread that does not hold it is free then, as with glibc: whoever does not ask
// about that is told what comes of it. (The two that add one after the other lose no addition, unless the third lets
// the second in.)
// expect: unsafe lock 14
// args: --check=assertions
// expect: unsafe assertion 26
// args: --check=assertions -DNOBODY_HOLDS
// expect: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *disturb(void *a) { pthread_mutex_unlock(&m); return a; }
static void *add(void *a) { pthread_mutex_lock(&m); int old = x; x = old + 1; pthread_mutex_unlock(&m); return a; }
#ifndef NOBODY_HOLDS
int main(void)
{
    pthread_t first, second, third;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, add, NULL);
    pthread_create(&third, NULL, disturb, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_join(third, NULL);
    assert(x == 2);
    return 0;
}
#else
int main(void) // glibc counts those who use it: after an unlock too many it is not destroyed
{
    disturb(NULL);
    add(NULL);
    assert(pthread_mutex_destroy(&m) == EBUSY);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_destroy(&m) == 0);
    return 0;
}
#endif
