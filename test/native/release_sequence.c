// A read-modify-write, even a relaxed one, carries the release of the store that it read on. BUG: a relaxed store does not.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 13|31
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int flag;

static void *sender(void *arg) {
  message = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}

static void *between(void *arg) {
#ifdef BUG
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
  int one = 1;
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
#endif
  return arg;
}

static void *receiver(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) {
    int seen = message;
    assert(seen == 42);
  }
  return arg;
}

int main(void) {
  pthread_t t[3];
  void *(*work[3])(void *) = {sender, between, receiver};
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, work[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
