// Threads that allocate and free in rounds: to take a freed block is explored once in each thread, otherwise twice or more often.
// Each thread has blocks of its own, which nobody else has touched: a block is taken that is there.
// args: --heap-reuse -DROUNDS=4
// expect: safe
// args: --heap-reuse=2 -DROUNDS=2
// expect: safe
// args: --heap-reuse=3 -DROUNDS=3 -DTHREADS=1
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef THREADS
#define THREADS 2
#endif

static void *rounds(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    long *a = malloc(sizeof *a + (size_t)(long)arg * 16), *b = calloc(1, 100);
    assert(a && b && *(char *)b == 0);
    *a = *b = i;
    free(a);
    free(b);
  }
  return arg;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, rounds, (void *)i);
  for (long i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
}
