// Objects of every kind, used or destroyed after they were destroyed, by another thread or by the same (LATER): that is
// undefined. Initialised anew (AGAIN) they are new ones. Who has not asked about misuse goes on with semaphores, spin locks and
// destroying twice, as with glibc.
// args: --check=locks -DUSE=(void)0 -DEND=(void)0
// expect: safe
// args: --check=locks -DUSE=pthread_mutex_lock(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_mutex_trylock(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_mutex_unlock(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_mutex_destroy(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_mutex_lock(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_mutex_destroy(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: unsafe lock *
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_mutex_lock(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: safe
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_mutex_destroy(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: safe
// args: --check=locks -DUSE=pthread_cond_signal(&o.c) -DEND=pthread_cond_destroy(&o.c)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_cond_broadcast(&o.c) -DEND=pthread_cond_destroy(&o.c)
// expect: unsafe lock *
// args: --check=locks -DUSE=waits() -DEND=pthread_cond_destroy(&o.c)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_cond_destroy(&o.c) -DEND=pthread_cond_destroy(&o.c)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_cond_signal(&o.c) -DEND=pthread_cond_destroy(&o.c)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_cond_destroy(&o.c) -DEND=pthread_cond_destroy(&o.c)
// expect: unsafe lock *
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_cond_signal(&o.c) -DEND=pthread_cond_destroy(&o.c)
// expect: safe
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_cond_destroy(&o.c) -DEND=pthread_cond_destroy(&o.c)
// expect: safe
// args: --check=locks -DUSE=sem_wait(&o.s) -DEND=sem_destroy(&o.s)
// expect: unsafe lock *
// args: --check=locks -DUSE=sem_trywait(&o.s) -DEND=sem_destroy(&o.s)
// expect: unsafe lock *
// args: --check=locks -DUSE=sem_post(&o.s) -DEND=sem_destroy(&o.s)
// expect: unsafe lock *
// args: --check=locks -DUSE=sem_getvalue(&o.s,&v) -DEND=sem_destroy(&o.s)
// expect: unsafe lock *
// args: --check=locks -DUSE=waits_for_none() -DEND=sem_destroy(&o.s)
// expect: unsafe lock *
// args: --check=locks -DUSE=sem_destroy(&o.s) -DEND=sem_destroy(&o.s)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=sem_wait(&o.s) -DEND=sem_destroy(&o.s)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=sem_destroy(&o.s) -DEND=sem_destroy(&o.s)
// expect: unsafe lock *
// args: --check=locks -DLATER -DAGAIN -DUSE=sem_wait(&o.s) -DEND=sem_destroy(&o.s)
// expect: safe
// args: --check=locks -DLATER -DAGAIN -DUSE=sem_destroy(&o.s) -DEND=sem_destroy(&o.s)
// expect: safe
// args: --check=locks -DUSE=pthread_rwlock_rdlock(&o.rw) -DEND=pthread_rwlock_destroy(&o.rw)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_rwlock_trywrlock(&o.rw) -DEND=pthread_rwlock_destroy(&o.rw)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_rwlock_unlock(&o.rw) -DEND=pthread_rwlock_destroy(&o.rw)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_rwlock_destroy(&o.rw) -DEND=pthread_rwlock_destroy(&o.rw)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_rwlock_rdlock(&o.rw) -DEND=pthread_rwlock_destroy(&o.rw)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_rwlock_destroy(&o.rw) -DEND=pthread_rwlock_destroy(&o.rw)
// expect: unsafe lock *
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_rwlock_rdlock(&o.rw) -DEND=pthread_rwlock_destroy(&o.rw)
// expect: safe
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_rwlock_destroy(&o.rw) -DEND=pthread_rwlock_destroy(&o.rw)
// expect: safe
// args: --check=locks -DUSE=pthread_spin_lock(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_spin_trylock(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_spin_unlock(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_spin_destroy(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_spin_lock(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_spin_destroy(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: unsafe lock *
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_spin_lock(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: safe
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_spin_destroy(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: safe
// args: --check=locks -DUSE=pthread_barrier_wait(&o.b) -DEND=pthread_barrier_destroy(&o.b)
// expect: unsafe lock *
// args: --check=locks -DUSE=pthread_barrier_destroy(&o.b) -DEND=pthread_barrier_destroy(&o.b)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_barrier_wait(&o.b) -DEND=pthread_barrier_destroy(&o.b)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=pthread_barrier_destroy(&o.b) -DEND=pthread_barrier_destroy(&o.b)
// expect: unsafe lock *
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_barrier_wait(&o.b) -DEND=pthread_barrier_destroy(&o.b)
// expect: safe
// args: --check=locks -DLATER -DAGAIN -DUSE=pthread_barrier_destroy(&o.b) -DEND=pthread_barrier_destroy(&o.b)
// expect: safe
// args: --check=locks -DUSE=mtx_lock(&o.mtx) -DEND=mtx_destroy(&o.mtx)
// expect: unsafe lock *
// args: --check=locks -DUSE=mtx_destroy(&o.mtx) -DEND=mtx_destroy(&o.mtx)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=mtx_lock(&o.mtx) -DEND=mtx_destroy(&o.mtx)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=mtx_destroy(&o.mtx) -DEND=mtx_destroy(&o.mtx)
// expect: unsafe lock *
// args: --check=locks -DLATER -DAGAIN -DUSE=mtx_lock(&o.mtx) -DEND=mtx_destroy(&o.mtx)
// expect: safe
// args: --check=locks -DLATER -DAGAIN -DUSE=mtx_destroy(&o.mtx) -DEND=mtx_destroy(&o.mtx)
// expect: safe
// args: --check=locks -DUSE=cnd_signal(&o.cnd) -DEND=cnd_destroy(&o.cnd)
// expect: unsafe lock *
// args: --check=locks -DUSE=cnd_destroy(&o.cnd) -DEND=cnd_destroy(&o.cnd)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=cnd_signal(&o.cnd) -DEND=cnd_destroy(&o.cnd)
// expect: unsafe lock *
// args: --check=locks -DLATER -DUSE=cnd_destroy(&o.cnd) -DEND=cnd_destroy(&o.cnd)
// expect: unsafe lock *
// args: --check=locks -DLATER -DAGAIN -DUSE=cnd_signal(&o.cnd) -DEND=cnd_destroy(&o.cnd)
// expect: safe
// args: --check=locks -DLATER -DAGAIN -DUSE=cnd_destroy(&o.cnd) -DEND=cnd_destroy(&o.cnd)
// expect: safe
// args: --check=assertions -DUSE=pthread_mutex_destroy(&o.m) -DEND=pthread_mutex_destroy(&o.m)
// expect: safe
// args: --check=assertions -DUSE=sem_destroy(&o.s) -DEND=sem_destroy(&o.s)
// expect: safe
// args: --check=assertions -DUSE=pthread_spin_destroy(&o.spin) -DEND=pthread_spin_destroy(&o.spin)
// expect: safe
// args: --check=assertions -DUSE=sem_wait(&o.s) -DEND=sem_destroy(&o.s)
// expect: safe
// args: --check=assertions -DUSE=pthread_spin_trylock(&o.spin) -DEND=pthread_spin_destroy(&o.spin) -DLATER
// expect: safe
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <threads.h>

static struct {
  pthread_mutex_t m;
  pthread_cond_t c;
  sem_t s;
  pthread_rwlock_t rw;
  pthread_spinlock_t spin;
  pthread_barrier_t b;
  mtx_t mtx;
  cnd_t cnd;
} o;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static int v;

static inline void waits(void) {
  pthread_mutex_lock(&other);
  pthread_cond_wait(&o.c, &other);
}

// Who comes to a destroyed one that has nothing left is wrong, too, and does not wait.
static inline void waits_for_none(void) {
  static atomic_int before;
  before = 1;
  sem_wait(&o.s);
  sem_wait(&o.s);
}

static void *uses(void *a) {
  USE;
  return a;
}

static void initialise(void) {
  pthread_mutex_init(&o.m, 0);
  pthread_cond_init(&o.c, 0);
  sem_init(&o.s, 0, 1);
  pthread_rwlock_init(&o.rw, 0);
  pthread_spin_init(&o.spin, 0);
  pthread_barrier_init(&o.b, 0, 1);
  mtx_init(&o.mtx, mtx_plain);
  cnd_init(&o.cnd);
}

int main(void) {
  pthread_t t;
  initialise();
#ifdef LATER
  END;
#ifdef AGAIN
  initialise();
#endif
  (void)t, uses(0);
#else
  pthread_create(&t, 0, uses, 0);
  END;
  pthread_join(t, 0);
#endif
  (void)v, (void)waits, (void)waits_for_none;
  return 0;
}
