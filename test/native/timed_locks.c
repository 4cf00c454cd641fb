// A wait with a time limit ends both ways wherever it would have to wait: two threads that take two locks in opposite order do not
// block each other for ever, but each may have to do without. WAIT: they wait without a limit. BUG: one does not look at the result.
// expect: safe full=yes
// args: --cc=clang
// expect: safe
// args: -DWAIT
// expect: unsafe deadlock *
// args: -DBUG
// expect: unsafe lock 26
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec soon = {.tv_sec = 1};
static int both;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
#if defined BUG
  pthread_mutex_timedlock(second, &soon);
  both++;
  pthread_mutex_unlock(second);
#elif defined WAIT
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
#else
  int e = pthread_mutex_timedlock(second, &soon);
  assert(e == 0 || e == ETIMEDOUT);
  if (e == 0) {
    both++;
    pthread_mutex_unlock(second);
  }
#endif
  pthread_mutex_unlock(first);
}

static void *other(void *arg) {
  take(&b, &a);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  take(&a, &b);
  pthread_join(t, NULL);
#ifndef BUG
  struct timespec wrong = {.tv_nsec = -1};
  int e = pthread_mutex_timedlock(&a, &wrong);
  assert(e == 0); // it need not wait: the limit does not matter
  assert(both <= 2);
#endif
}
