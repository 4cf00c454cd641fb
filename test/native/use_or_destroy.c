// A thread uses an object once, while main destroys it: the use may come first, also if it fails when it comes later, and
// then the assertion is met. The order of the two is explored although nothing else is asked for, for every sort of object
// and of use. FREE: the same for memory that is freed; that the use comes too late must not hide that it could have come
// earlier, neither where it is the first thing that the thread does nor later (LATER).
// args: --check=assertions -DUSE=pthread_mutex_lock(&o->m) -DEND=pthread_mutex_destroy(&o->m)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_mutex_trylock(&o->m) -DEND=pthread_mutex_destroy(&o->m)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_mutex_timedlock(&o->m,&soon) -DEND=pthread_mutex_destroy(&o->m)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_mutex_unlock(&o->checked) -DEND=pthread_mutex_destroy(&o->checked)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_mutex_destroy(&o->m) -DEND=pthread_mutex_destroy(&o->m)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_mutex_lock(&o->m) -DEND=pthread_mutex_init(&o->m,0)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_cond_signal(&o->c) -DEND=pthread_cond_destroy(&o->c)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_cond_broadcast(&o->c) -DEND=pthread_cond_destroy(&o->c)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=wait_shortly() -DEND=pthread_cond_destroy(&o->c)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_rwlock_rdlock(&o->rw) -DEND=pthread_rwlock_destroy(&o->rw)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_rwlock_trywrlock(&o->rw) -DEND=pthread_rwlock_destroy(&o->rw)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_spin_lock(&o->s) -DEND=pthread_spin_destroy(&o->s)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_barrier_wait(&o->b) -DEND=pthread_barrier_destroy(&o->b)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=sem_wait(&o->sem) -DEND=sem_destroy(&o->sem)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=sem_getvalue(&o->sem,&o->value) -DEND=sem_destroy(&o->sem)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=mtx_lock(&o->mtx) -DEND=mtx_destroy(&o->mtx)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=cnd_signal(&o->cnd) -DEND=cnd_destroy(&o->cnd)
// expect: unsafe assertion 114
// args: --check=assertions -DUSE=pthread_setspecific(o->key,o) -DEND=pthread_key_delete(o->key)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=pthread_mutex_lock(&o->m) -DEND=free(o) -DLATER
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=pthread_mutex_trylock(&o->m) -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=pthread_cond_signal(&o->c) -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=pthread_rwlock_rdlock(&o->rw) -DEND=free(o) -DLATER
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=pthread_spin_lock(&o->s) -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=pthread_barrier_wait(&o->b) -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=sem_post(&o->sem) -DEND=free(o) -DLATER
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=sem_getvalue(&o->sem,&v) -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=pthread_once(&o->once,nothing) -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=pthread_mutex_destroy(&o->m) -DEND=free(o) -DLATER
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=atomic_load(&o->a) -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=atomic_fetch_add(&o->a,1) -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=atomic_compare_exchange_strong(&o->a,&v,1) -DEND=free(o) -DLATER
// expect: unsafe assertion 114
// args: --check=assertions -DFREE -DUSE=v=o->value -DEND=free(o)
// expect: unsafe assertion 114
// args: --check=assertions -DLATER -DUSE=pthread_mutex_lock(&o->m) -DEND=pthread_mutex_destroy(&o->m)
// expect: unsafe assertion 114
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

typedef struct object {
    pthread_mutex_t m, checked;
    pthread_cond_t c;
    pthread_rwlock_t rw;
    int value;
    pthread_spinlock_t s;
    pthread_barrier_t b;
    sem_t sem;
    mtx_t mtx;
    cnd_t cnd;
    pthread_once_t once;
    atomic_int a;
    pthread_key_t key;
} object;

static object it, *o = &it;
static const struct timespec soon = {1, 0};
static atomic_int before;

static void wait_shortly(void)
{
    pthread_mutex_lock(&o->m);
    pthread_cond_timedwait(&o->c, &o->m, &soon);
}

static void nothing(void)
{
}

static void *use(void *a)
{
    int v = 0;
#ifdef LATER
    atomic_fetch_add(&before, 1);
#endif
    USE;
    assert(0);
    (void)v;
    return a;
}

static void begin(void)
{
    pthread_mutexattr_t checked;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&o->m, 0);
    pthread_mutex_init(&o->checked, &checked);
    pthread_cond_init(&o->c, 0);
    pthread_rwlock_init(&o->rw, 0);
    pthread_spin_init(&o->s, 0);
    pthread_barrier_init(&o->b, 0, 1);
    sem_init(&o->sem, 0, 1);
    mtx_init(&o->mtx, mtx_plain);
    cnd_init(&o->cnd);
    pthread_key_create(&o->key, 0);
    o->once = (pthread_once_t)PTHREAD_ONCE_INIT;
    o->value = 0;
    o->a = 0;
}

int main(void)
{
    pthread_t t;
#ifdef FREE
    o = malloc(sizeof *o);
#endif
    begin();
    pthread_create(&t, 0, use, 0);
#ifdef LATER
    atomic_fetch_add(&before, 1);
#endif
    END;
    (void)wait_shortly, (void)nothing;
    return 0;
}
