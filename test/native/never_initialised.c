// Objects in memory that holds anything, used without having been initialised. (Zeroes do: static objects, what calloc
// returns, what was set to zero; and so do copies of the static initialisers.)
// args: -DUSE=mutex
// expect: unsafe lock *
// args: -DUSE=mutex_destroyed
// expect: unsafe lock *
// args: -DUSE=condition
// expect: unsafe lock *
// args: -DUSE=waits
// expect: unsafe lock *
// args: -DUSE=semaphore
// expect: unsafe lock *
// args: -DUSE=read_write
// expect: unsafe lock *
// args: -DUSE=spin
// expect: unsafe lock *
// args: -DUSE=barrier
// expect: unsafe lock *
// args: -DUSE=barrier_destroyed
// expect: unsafe lock *
// args: -DUSE=spin_destroyed
// expect: unsafe lock *
// args: -DUSE=once
// expect: unsafe lock *
// args: -DUSE=once -DINIT=copied
// expect: safe
// args: -DUSE=once -DINIT=all_zero
// expect: safe
// args: -DUSE=once -DLOCAL
// expect: unsafe lock *
// args: -DUSE=spin -DLOCAL
// expect: unsafe lock *
// args: -DUSE=mutex -DINIT=all_zero
// expect: safe
// args: -DUSE=mutex -DINIT=copied
// expect: safe
// args: -DUSE=mutex -DINIT=called
// expect: safe
// args: -DUSE=condition -DINIT=copied
// expect: safe
// args: -DUSE=waits -DINIT=called
// expect: safe
// args: -DUSE=semaphore -DINIT=called
// expect: safe
// args: -DUSE=semaphore -DINIT=all_zero
// expect: safe
// args: -DUSE=read_write -DINIT=copied
// expect: safe
// args: -DUSE=spin -DINIT=called
// expect: safe
// args: -DUSE=barrier -DINIT=called
// expect: safe
// args: -DUSE=mutex -DALLOCATE=callocates
// expect: safe
// args: -DUSE=mutex -DALLOCATE=has
// expect: safe
// args: -DUSE=mutex -DLOCAL
// expect: unsafe lock *
// args: -DUSE=read_write -DLOCAL
// expect: unsafe lock *
// args: -DUSE=semaphore -DLOCAL
// expect: unsafe lock *
// args: -DUSE=mutex -DLOCAL -DINIT=copied
// expect: safe
// args: -DUSE=mutex --check=assertions
// expect: incomplete a mutex is used that was never initialised
// args: -DUSE=mutex -DINIT=sometimes
// expect: unsafe lock *
// args: -DUSE=mutex --cc=clang
// expect: unsafe lock *
// args: -DUSE=mutex --cc=clang -DINIT=copied
// expect: safe
// args: -DUSE=mutex --cflags=-O0 -DINIT=copied
// expect: safe
// args: -DUSE=mutex --cflags=-O2 -DINIT=copied
// expect: safe
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifndef INIT
#define INIT not
#endif
#ifndef ALLOCATE
#define ALLOCATE allocates
#endif
struct objects { pthread_mutex_t m; pthread_cond_t c; sem_t s; pthread_rwlock_t rw; pthread_spinlock_t spin; pthread_barrier_t b; pthread_once_t once; };
static struct objects *o, variable;
static atomic_int late;
static inline struct objects *allocates(void) { return malloc(sizeof *o); }
static inline struct objects *callocates(void) { return calloc(1, sizeof *o); }
static inline struct objects *has(void) { return &variable; }

static inline void not(void) {}
static inline void all_zero(void) { memset(o, 0, sizeof *o); }
static inline void sometimes(void) { if (late) memset(o, 0, sizeof *o); }
static inline void copied(void)
{
    o->m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    o->c = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    o->rw = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    o->once = (pthread_once_t)PTHREAD_ONCE_INIT;
}
static inline void called(void)
{
    pthread_mutex_init(&o->m, NULL);
    pthread_cond_init(&o->c, NULL);
    sem_init(&o->s, 0, 0);
    pthread_rwlock_init(&o->rw, NULL);
    pthread_spin_init(&o->spin, 0);
    pthread_barrier_init(&o->b, NULL, 1);
}

static inline void mutex(void) { pthread_mutex_lock(&o->m); pthread_mutex_unlock(&o->m); }
static inline void mutex_destroyed(void) { pthread_mutex_destroy(&o->m); }
static inline void condition(void) { pthread_cond_signal(&o->c); }
static inline void waits(void) { pthread_mutex_lock(&o->m); sem_post(&o->s); pthread_mutex_unlock(&o->m); sem_wait(&o->s); }
static inline void semaphore(void) { sem_post(&o->s); sem_wait(&o->s); }
static inline void read_write(void) { pthread_rwlock_rdlock(&o->rw); pthread_rwlock_unlock(&o->rw); }
static inline void spin(void) { pthread_spin_lock(&o->spin); pthread_spin_unlock(&o->spin); }
static inline void nothing(void) {}
static inline void once(void) { pthread_once(&o->once, nothing); }
static inline void spin_destroyed(void) { pthread_spin_destroy(&o->spin); }
static inline void barrier_destroyed(void) { pthread_barrier_destroy(&o->b); }
static inline void barrier(void) { pthread_barrier_wait(&o->b); }

static void *works(void *a) { USE(); return a; }
static void *sets(void *a) { late = 1; return a; }

int main(void)
{
    pthread_t t, u;
#ifdef LOCAL
    struct objects here;
    o = &here;
#else
    o = ALLOCATE();
#endif
    pthread_create(&u, NULL, sets, NULL);
    INIT();
    pthread_create(&t, NULL, works, NULL);
    works(NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
