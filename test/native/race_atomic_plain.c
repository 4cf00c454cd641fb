// A plain load of what another thread stores atomically.
// expect: unsafe data-race 8|15
#include <pthread.h>

static int x;

static void *worker(void *arg) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int seen = x;
  pthread_join(t, NULL);
  return seen > 1;
}
// compilers: clang sees that the value is 0 or 1 and leaves out the load
