// A program may bring its own reach_error, as many do, and its own assume that leaves with abort if it does not hold.
// expect: unsafe assertion 10|22
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

void reach_error(void) {
  assert(0);
}

static void *worker(void *arg) {
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  if (x)
    reach_error();
  pthread_join(t, NULL);
}
