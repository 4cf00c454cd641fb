// A condition variable is destroyed while a thread waits for it, or before it does. SIGNAL: before it is signalled. RIGHT: when
// nobody can wait for it any more.
// expect: unsafe lock 19|34
// args: -DSIGNAL
// expect: unsafe lock 32
// args: -DRIGHT
// expect: safe
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int go;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
#ifdef SIGNAL
  go = 1;
#endif
  while (!go) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_cond_init(&c, NULL);
  pthread_create(&t, NULL, worker, NULL);
#ifdef RIGHT
  pthread_mutex_lock(&m), go = 1, pthread_mutex_unlock(&m);
  pthread_cond_signal(&c), pthread_join(t, NULL), pthread_cond_destroy(&c);
#elif defined SIGNAL
  pthread_cond_destroy(&c), pthread_cond_signal(&c), pthread_join(t, NULL);
#else
  pthread_cond_destroy(&c);
  pthread_join(t, NULL);
#endif
}
