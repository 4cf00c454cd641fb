// Only the waiting thread looks at `stop` while others run, and main when it is alone. That makes it no shared variable, also
// where what is observed counts: the loop waits for `ready` alone, and a round in vain is no observation of its own.
// BROKEN: main takes for granted that the second update was seen.
// expect: safe traces=3 observations=3
// args: -DBROKEN
// expect: unsafe assertion 42
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, stop, seen;

static void *setter(void *arg) {
  atomic_store(&ready, 1);
  atomic_store(&ready, 2);
  return arg;
}

static void *waiter(void *arg) {
  while (atomic_load(&ready) == 0 && atomic_load(&stop) == 0) {
  }
  return arg;
}

static void *reader(void *arg) {
  atomic_store(&seen, atomic_load(&ready));
  return arg;
}

int main(void) {
  pthread_t s, w, r;
  pthread_create(&s, NULL, setter, NULL);
  pthread_create(&w, NULL, waiter, NULL);
  pthread_join(w, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(s, NULL);
  pthread_join(r, NULL);
  assert(atomic_load(&stop) == 0);
#ifndef BROKEN
  assert(atomic_load(&seen) >= 1);
#else
  assert(atomic_load(&seen) == 2);
#endif
}
