// A spin lock made of atomic_flag with acquire and release, the weakest orders that do. BUG: the lock is released relaxed.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 21
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int shared;
#ifdef BUG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static void *worker(void *arg) {
  (void)arg;
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
  shared++;
  atomic_flag_clear_explicit(&lock, RELEASE);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(shared == 2);
}
