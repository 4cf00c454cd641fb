// Shared Pointer (after Gueta et al. 2007): two threads write N times through a pointer of their own, then redirect the other's.
// Traces: 2N + 1.
// args: -DN=2
// expect: safe traces=5
// args: -DN=20
// expect: safe traces=41
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 20
#endif
static atomic_int x[2];
static atomic_int *_Atomic p[2] = {&x[0], &x[1]};

static void *worker(void *arg) {
  long me = (long)arg;
  for (int i = 0; i < N; i++) {
    atomic_int *target = p[me];
    *target = i;
  }
  p[1 - me] = &x[me];
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
