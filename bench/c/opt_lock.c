// Optimistic locking: a thread leaves its name, does its work, and is done if its name is still there; N tries at most.
// Traces: 2 * F(2N+3) - 4 with Fibonacci numbers F: 6, 22, 64, 174, 462. Observations: 4N - 1.
// args: -DN=2
// expect: safe traces=22 observations=7
// args: -DN=5
// expect: safe traces=462 observations=19
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif
static atomic_int last_id, x;

static void *worker(void *arg) {
  int me = (int)(long)arg;
  for (int i = 0; i < N; i++) {
    last_id = me;
    x = me;
    if (last_id == me)
      break;
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
