// Each thread copies its cell to the next one. A load and a store are two events: every load can come before the store of the
// thread before, but not all of them after it. Traces: 2^N - 1. With -DSTEP the copy is one step, as in the model, and neither of
// the two cycles is possible. Traces: 2^N - 2.
// args: -DN=2
// expect: safe traces=3
// args: -DN=6
// expect: safe traces=63
// args: -DN=6 -DSTEP
// expect: safe traces=62
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 9
#endif
#ifdef STEP
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#else
#define __VERIFIER_atomic_begin()
#define __VERIFIER_atomic_end()
#endif
static atomic_int x[N];

static void *worker(void *arg) {
  long me = (long)arg;
  __VERIFIER_atomic_begin();
  x[(me + 1) % N] = x[me];
  __VERIFIER_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
