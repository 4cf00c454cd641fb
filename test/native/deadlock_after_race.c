// A race and a deadlock come to light in the same step: with --all-errors both are told, each with a counterexample.
// args: --all-errors
// expect: unsafe data-race 19 deadlock 29
// args: --all-errors --check=deadlocks
// expect: unsafe deadlock 29
#include <pthread.h>

static pthread_barrier_t barrier;
static int number;

static void *waits(void *arg) {
  pthread_barrier_wait(&barrier);
  (void)arg;
  return number ? &number : 0;
}

static void *writes(void *arg) {
  (void)arg;
  number = 1;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, waits, 0);
  pthread_create(&b, 0, writes, 0);
  pthread_create(&c, 0, writes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
