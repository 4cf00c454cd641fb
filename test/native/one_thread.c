// One thread besides main, which waits for it: one trace.
// expect: safe traces=1 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg) {
  x = 1;
  x = x + 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(x == 2);
}
