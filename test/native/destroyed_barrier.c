// A barrier is destroyed while a thread waits at it, or before a thread comes to it. AGAIN: initialised anew instead. UNMADE: it
// is never initialised. RIGHT: when all have passed.
// expect: unsafe lock 17|32
// args: -DAGAIN
// expect: unsafe lock 30 or deadlock *
// args: -DUNMADE
// expect: unsafe lock 17
// args: -DRIGHT
// expect: safe
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;

static void *worker(void *arg) {
  static atomic_int before;
  before = 1, pthread_barrier_wait(&barrier);
  return arg;
}

int main(void) {
  pthread_t t;
#ifndef UNMADE
  pthread_barrier_init(&barrier, NULL, 2);
#endif
  pthread_create(&t, NULL, worker, NULL);
#ifdef RIGHT
  pthread_barrier_wait(&barrier), pthread_barrier_destroy(&barrier);
#elif defined AGAIN
  pthread_barrier_init(&barrier, NULL, 2);
#elif !defined UNMADE
  pthread_barrier_destroy(&barrier);
#endif
  pthread_join(t, NULL);
}
