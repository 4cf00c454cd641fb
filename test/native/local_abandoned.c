// A local variable that other threads know of is gone when its function returns. Who uses it later, and nothing orders that,
// races with the return, although another function has its frame there by then.
// expect: unsafe data-race *
// args: --cc=clang
// expect: unsafe data-race *
// args: --cflags=-O2
// expect: unsafe data-race *
// args: -DLAST
// expect: safe
// args: -DLAST --cc=clang
// expect: safe
// args: -DKIND=1
// expect: unsafe data-race *
// args: -DKIND=2
// expect: unsafe data-race *
// args: -DKIND=3
// expect: unsafe data-race *
// args: -DKIND=4
// expect: unsafe data-race *
// args: -DKIND=5
// expect: unsafe data-race *
// args: -DKIND=6
// expect: unsafe data-race *
// args: -DKIND=6 --check=assertions
// expect: unsafe assertion 100
// args: -DKIND=7
// expect: unsafe data-race *
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

struct request {
    int plain;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    sem_t semaphore;
    pthread_rwlock_t lock;
    pthread_spinlock_t spin;
    pthread_once_t once;
    atomic_int number;
    int done;
};
static struct request *slot;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void nothing(void)
{
}

/* What it does last to a request whose owner may be gone. */
static void use(struct request *r)
{
#if defined(LAST)
    (void)r;
#elif KIND == 1
    sem_post(&r->semaphore);
#elif KIND == 2
    pthread_rwlock_rdlock(&r->lock), pthread_rwlock_unlock(&r->lock);
#elif KIND == 3
    pthread_spin_lock(&r->spin), pthread_spin_unlock(&r->spin);
#elif KIND == 4
    pthread_once(&r->once, nothing);
#elif KIND == 5
    r->number++;
#elif KIND == 6
    r->plain = 1;
#elif KIND == 7
    pthread_cond_broadcast(&r->condition);
#else
    pthread_cond_signal(&r->condition);
#endif
    nothing();
}

static void *serve(void *argument)
{
    struct request *r = slot;
    pthread_mutex_lock(&r->mutex);
    r->done = 1;
    pthread_cond_signal(&r->condition);
    pthread_mutex_unlock(&r->mutex);
    use(r);
    return argument;
}

static __attribute__((noinline)) int idles(pthread_t t)
{
    int zeros[200] = {0}, *volatile z = zeros, sum = 0;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
#if KIND == 6
    pthread_join(t, NULL);
#else
    (void)t;
#endif
    for (int i = 0; i < 200; i++)
        sum += z[i];
    assert(sum == 0);
    return sum;
}

static __attribute__((noinline)) pthread_t calls(void)
{
    pthread_t t;
    struct request r = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
    pthread_rwlock_init(&r.lock, NULL);
    pthread_spin_init(&r.spin, 0);
    sem_init(&r.semaphore, 0, 0);
    r.once = (pthread_once_t)PTHREAD_ONCE_INIT;
    slot = &r;
    pthread_create(&t, NULL, serve, NULL);
    pthread_mutex_lock(&r.mutex);
    while (!r.done)
        pthread_cond_wait(&r.condition, &r.mutex);
    pthread_mutex_unlock(&r.mutex);
    return t;
}

int main(void)
{
    pthread_t t = calls();
    return idles(t);
}
