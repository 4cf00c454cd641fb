// Two threads wait for one condition variable, each with a mutex of its own. RIGHT: with the same one. LATER: with another one,
// but when nobody waits any more: that is allowed.
// expect: unsafe lock 18
// args: -DRIGHT
// expect: safe
// args: -DLATER
// expect: safe
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void *waits(void *arg) {
  pthread_mutex_t *mutex = arg;
  pthread_mutex_lock(mutex);
  while (__atomic_load_n(&go, __ATOMIC_SEQ_CST) == 0)
    pthread_cond_wait(&c, mutex);
  pthread_mutex_unlock(mutex);
  return NULL;
}

static void let_go(void) {
  for (int i = 0; i < 2; i++)
    pthread_mutex_lock(&m[i]);
  __atomic_store_n(&go, 1, __ATOMIC_SEQ_CST);
  pthread_cond_broadcast(&c);
  for (int i = 0; i < 2; i++)
    pthread_mutex_unlock(&m[i]);
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, waits, &m[0]);
#ifdef LATER
  let_go();
  pthread_join(t[0], NULL);
  go = 0;
#endif
#ifdef RIGHT
  pthread_create(&t[1], NULL, waits, &m[0]);
#else
  pthread_create(&t[1], NULL, waits, &m[1]);
#endif
  let_go();
#ifndef LATER
  pthread_join(t[0], NULL);
#endif
  pthread_join(t[1], NULL);
}
