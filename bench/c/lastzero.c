// Last Zero of the source-set literature: N threads update an array, one more reads it from the end while the cell is
// not zero. The load and the store of an update are two events here; the count is the same. Traces: (N+3) * 2^(N-2).
// args: -DN=1
// expect: safe traces=2
// args: -DN=4
// expect: safe traces=28
// args: -DN=5
// expect: safe traces=64
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif
static atomic_int x[N + 1];

static void *searcher(void *arg) {
  int i = N;
  while (x[i] != 0)
    i--;
  return arg;
}

static void *updater(void *arg) {
  long i = (long)arg;
  x[i + 1] = x[i] + 1;
  return NULL;
}

int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[0], NULL, searcher, NULL);
  for (long i = 1; i <= N; i++)
    pthread_create(&t[i], NULL, updater, (void *)(i - 1));
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], NULL);
}
