// A mutex is destroyed while a thread waits with it for a condition variable. SPIN: a spin lock, while a thread holds it.
// RIGHT: when the thread has ended.
// expect: unsafe lock 48
// args: -DSPIN
// expect: unsafe lock 48|31
// args: -DRIGHT
// expect: safe
// args: -DRIGHT -DSPIN
// expect: safe
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t s;
static int go, waits;

#ifndef SPIN
#define SPIN 0
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  waits = 1;
  while (!go)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
#else
static void *worker(void *arg) {
  pthread_spin_lock(&s);
  pthread_spin_unlock(&s);
  return arg;
}
#endif

int main(void) {
  pthread_t t;
  pthread_spin_init(&s, 0);
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&m);
#ifdef RIGHT
  go = 1, pthread_mutex_unlock(&m);
  pthread_cond_signal(&c), pthread_join(t, NULL);
#else
  mz_assume(SPIN || waits), pthread_mutex_unlock(&m);
#endif
  pthread_mutex_destroy(&m), pthread_spin_destroy(&s);
#ifndef RIGHT
  pthread_cond_signal(&c), pthread_join(t, NULL);
#endif
}
