/* Planted: the last store wins, and so does the last unlock. What a step is said to have done is what it has
 * done, not what main does to the same places when it runs alone after it. */
// fails: assertion failed
// says: x: 2 → 1
// says: m: T1 → free
// decides: pthread_mutex_lock(&m)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    x = 1;
    pthread_mutex_lock(&m);
    last = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *two(void *unused)
{
    x = 2;
    pthread_mutex_lock(&m);
    last = 2;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    x += 10;
    pthread_mutex_lock(&m);
    assert(x != 11 || last != 1);
}
