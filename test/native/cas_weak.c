// The same with the weak form and explicit orders.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic long x;

static void *worker(void *arg) {
  long seen = atomic_load_explicit(&x, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&x, &seen, seen * 2 + 1, memory_order_acq_rel, memory_order_relaxed)) {
  }
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  assert(x == 7);
}
