// A load and a store each: 4 traces, in two of them an update is lost. FIXED: one step each, 2 traces.
// expect: unsafe assertion 28
// args: --all-errors
// expect: unsafe assertion 28 traces=4 found=2
// args: -DFIXED
// expect: safe traces=2 refined=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg) {
#ifdef FIXED
  x++;
#else
  x = x + 1;
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(x == 2);
}
