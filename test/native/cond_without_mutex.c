// Waiting for a condition variable with a mutex that the thread does not hold. TIMED: with a time limit. RIGHT: it holds it.
// expect: unsafe lock 20
// args: -DTIMED
// expect: unsafe lock 18
// args: -DRIGHT
// expect: safe
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waits(void *arg) {
#ifdef RIGHT
  pthread_mutex_lock(&m);
#endif
#if defined TIMED || defined RIGHT
  struct timespec soon = {1, 0}; pthread_cond_timedwait(&c, &m, &soon);
#else
  pthread_cond_wait(&c, &m);
#endif
#ifdef RIGHT
  pthread_mutex_unlock(&m);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_cond_signal(&c);
  pthread_join(t, NULL);
}
