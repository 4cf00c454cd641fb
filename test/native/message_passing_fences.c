// Relaxed accesses with fences around them are as good. BUG: without the receiver's fence.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 13|24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int flag;

static void *sender(void *arg) {
  message = 42;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return arg;
}

static void *receiver(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
#ifndef BUG
    atomic_thread_fence(memory_order_acquire);
#endif
    int seen = message;
    assert(seen == 42);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sender, NULL);
  pthread_create(&t[1], NULL, receiver, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
