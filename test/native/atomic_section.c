// Sections that nothing comes in between: 2 traces. BUG: without them an update may be lost.
// expect: safe traces=2
// args: -DBUG
// expect: unsafe assertion 30
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *worker(void *arg) {
#ifndef BUG
  mz_atomic_begin();
#endif
  x = x + 1;
  y = x;
#ifndef BUG
  mz_atomic_end();
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(x == 2 && y == 2);
}
