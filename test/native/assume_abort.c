// assume_abort_if_not is an assumption, not an error.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void assume_abort_if_not(int);
static atomic_int x;

static void *worker(void *arg) {
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int seen = x;
  assume_abort_if_not(seen == 1);
  assert(seen == 1);
  pthread_join(t, NULL);
}
