// main does not wait: the assertion of the thread is reached in some executions only, but those count.
// expect: unsafe assertion 12
// args: --main-exit=join
// expect: unsafe assertion 12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg) {
  assert(x == 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 1;
  return 0;
}
