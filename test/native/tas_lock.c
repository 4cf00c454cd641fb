// Test-and-set lock, three threads. Every execution is an order of the three. BUG: test and set are two steps.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 23
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
static atomic_int lock;
static int shared;

static void *worker(void *arg) {
  (void)arg;
#ifdef BUG
  while (lock) {
  }
  lock = 1;
#else
  while (atomic_exchange(&lock, 1)) {
  }
#endif
  shared++;
  lock = 0;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(shared == N);
}
