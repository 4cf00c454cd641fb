// A counter with a compare-and-swap loop that goes on with the value it was told. Counted by enumeration: 4 traces for two
// threads, 48 for three.
// expect: safe traces=4 full=yes
// args: -DN=3
// expect: safe traces=48
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
static atomic_int x;

static void *worker(void *arg) {
  int seen = x;
  while (!atomic_compare_exchange_strong(&x, &seen, seen + 1)) {
  }
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(x == N);
}
