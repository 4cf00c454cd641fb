// N threads besides main (63: the most), each stores to a cell of its own; the last one looks at the first one's. Traces: 2.
// args: -DN=2
// expect: safe traces=2
// args: -DN=63
// expect: safe traces=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 63
#endif
static atomic_int cell[N];

static void *worker(void *arg) {
  long me = (long)arg;
  cell[me] = 1;
  if (me == N - 1) {
    int first = cell[0];
    assert(first == 0 || first == 1);
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++)
    assert(cell[i] == 1);
}
