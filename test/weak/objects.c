/* Synchronisation objects beside weak orders: what is stored relaxed is seen by whoever an object makes come later, and
 * by nobody else. */
// args: -DCASE=SEMAPHORE
// expect: safe
// args: -DCASE=TRY_SEMAPHORE
// expect: safe
// args: -DCASE=CONDITION
// expect: safe
// args: -DCASE=TIMED_CONDITION
// expect: safe
// args: -DCASE=BARRIER
// expect: safe
// args: -DCASE=ONCE
// expect: safe
// args: -DCASE=WRITER
// expect: safe
// args: -DCASE=READERS
// expect: unsafe assertion
// args: -DCASE=TRYLOCK
// expect: safe
// args: -DCASE=TRYLOCK_FAILS
// expect: unsafe assertion
// args: -DCASE=JOINED
// expect: safe
// args: -DCASE=NOT_JOINED --memory=rc11
// expect: unsafe assertion
// args: -DCASE=POST_BEFORE
// expect: unsafe assertion
// args: -DCASE=NOBODY_POSTS --memory=rc11
// expect: unsafe deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

enum { SEMAPHORE, TRY_SEMAPHORE, CONDITION, TIMED_CONDITION, BARRIER, ONCE, WRITER, READERS, TRYLOCK, TRYLOCK_FAILS, JOINED, NOT_JOINED,
       POST_BEFORE, NOBODY_POSTS };

static atomic_int x, y;
static int set;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void store(atomic_int *where)
{
    atomic_store_explicit(where, 1, memory_order_relaxed);
}

static int load(atomic_int *where)
{
    return atomic_load_explicit(where, memory_order_relaxed);
}

static void store_x(void)
{
    store(&x);
}

static void *first(void *u)
{
    if (CASE == POST_BEFORE)
        sem_post(&semaphore);
    if (CASE != ONCE && CASE != TRYLOCK)
        store(&x);
    switch (CASE) {
    case ONCE: pthread_once(&once, store_x); break;
    case SEMAPHORE:
    case TRY_SEMAPHORE: sem_post(&semaphore); break;
    case CONDITION:
    case TIMED_CONDITION:
        pthread_mutex_lock(&mutex);
        set = 1;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
        break;
    case BARRIER: pthread_barrier_wait(&barrier); break;
    case WRITER:
    case READERS:
        CASE == WRITER ? pthread_rwlock_wrlock(&lock) : pthread_rwlock_rdlock(&lock);
        store(&y);
        pthread_rwlock_unlock(&lock);
        break;
    case TRYLOCK:
        pthread_mutex_lock(&mutex);
        store(&x);
        pthread_mutex_unlock(&mutex);
        store(&y);
        break;
    case TRYLOCK_FAILS:
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        break;
    default: break;
    }
    return u;
}

static void *second(void *u)
{
    int told = 1;
    switch (CASE) {
    case SEMAPHORE:
    case POST_BEFORE:
    case NOBODY_POSTS: sem_wait(&semaphore); break;
    case TRY_SEMAPHORE: told = sem_trywait(&semaphore) == 0; break;
    case CONDITION:
        pthread_mutex_lock(&mutex);
        while (!set)
            pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
        break;
    case TIMED_CONDITION:
        pthread_mutex_lock(&mutex);
        if (!set)
            pthread_cond_timedwait(&condition, &mutex, &(struct timespec){.tv_sec = 1});
        told = set;
        pthread_mutex_unlock(&mutex);
        break;
    case BARRIER: pthread_barrier_wait(&barrier); break;
    case ONCE: pthread_once(&once, store_x); break;
    case WRITER:
    case READERS:
        pthread_rwlock_rdlock(&lock);
        told = load(&y);
        pthread_rwlock_unlock(&lock);
        break;
    case TRYLOCK:
        told = load(&y);
        if (told) {
            assert(pthread_mutex_trylock(&mutex) == 0); /* who holds it would come later than this */
            pthread_mutex_unlock(&mutex);
        }
        break;
    case TRYLOCK_FAILS:
        told = pthread_mutex_trylock(&mutex) != 0;
        if (!told)
            pthread_mutex_unlock(&mutex);
        break;
    default: told = 0;
    }
    assert(!told || load(&x) == 1);
    return u;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    if (CASE == JOINED || CASE == NOT_JOINED) {
        int ended = pthread_tryjoin_np(a, 0) == 0;
        assert(CASE == JOINED ? !ended || load(&x) == 1 : !ended);
        if (!ended)
            pthread_join(a, 0);
    } else {
        pthread_join(a, 0);
    }
    pthread_join(b, 0);
}
