// Control flow that depends on shared cells: a thread that finds its cell zero sets the next one, twice.
// Traces for N = 2, 3, …: 11, 28, 103, 311, 1010, 3165, 10063 (by enumeration).
// args: -DN=2
// expect: safe traces=11
// args: -DN=4
// expect: safe traces=103
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 6
#endif
static atomic_int x[N];

static void *worker(void *arg) {
  long me = (long)arg;
  for (int i = 0; i < 2; i++)
    if (x[me] == 0)
      x[(me + 1) % N] = 1;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
