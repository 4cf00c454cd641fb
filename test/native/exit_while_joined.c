// A thread ends the program while main waits for it: main does not go on. BROKEN: the program is ended by the other thread only,
// so that main does come to its assertion if that one is late. With a time limit, the wait for the thread cannot succeed either.
// expect: safe
// args: -DTIMED
// expect: safe
// args: -DBROKEN
// expect: unsafe assertion 47
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static atomic_int failed;

static void *first(void *arg) {
  atomic_store(&failed, 1);
  return arg;
}

static void *second(void *arg) {
#ifdef BROKEN
  if (atomic_load(&failed))
    exit(0);
#else
  atomic_load(&failed);
  exit(0);
#endif
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
#ifdef TIMED
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec++;
  if (pthread_timedjoin_np(b, NULL, &limit) != 0)
    return 0;
#else
  pthread_join(b, NULL);
#endif
  assert(!"come back from a thread that has not ended");
}
