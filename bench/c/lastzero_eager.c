// Last Zero as evaluated in the Eager POR paper: the searching thread goes on while the cell is zero and stops at the first
// that is not. Traces: N * 2^(N-2).
// args: -DN=2
// expect: safe traces=2
// args: -DN=5
// expect: safe traces=40
// args: -DN=6
// expect: safe traces=96
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif
static atomic_int x[N];

static void *searcher(void *arg) {
  int i = N - 1;
  while (i > 0 && x[i] == 0)
    i--;
  return arg;
}

static void *updater(void *arg) {
  long i = (long)arg;
  x[i + 1] = x[i] + 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  pthread_create(&t[0], NULL, searcher, NULL);
  for (long i = 1; i < N; i++)
    pthread_create(&t[i], NULL, updater, (void *)(i - 1));
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
