// A worker that spins is not one that waits: outside of the checker nobody could tell that it will not go on. Such
// states are not compared, and the verdict says so.
// expect: incomplete thread 1 waits in atomic load
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int work;

static void *worker(void *arg) {
  for (;;) {
    while (!atomic_load(&work))
      mz_yield();
    atomic_store(&work, 0);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  for (;;) {
    mz_loop_boundary();
    atomic_store(&work, 1);
  }
}
