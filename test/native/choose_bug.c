// The choice of main, the choice of the thread and the order of the two have to be right for it to fail.
// expect: unsafe assertion 22
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg) {
  int step = mz_choose(1, 5);
  int seen = x;
  x = seen * 10 + step;
  return arg;
}

int main(void) {
  pthread_t t;
  int first = mz_choose(1, 3);
  pthread_create(&t, NULL, worker, NULL);
  x = first;
  pthread_join(t, NULL);
  mz_assert(x != 35);
}
