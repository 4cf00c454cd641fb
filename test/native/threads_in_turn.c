// Threads that are created and joined one after the other: more than fit into one word.
// expect: safe traces=1
// args: -DTHREADS=300
// expect: safe traces=1
// args: -DTHREADS=100 -DWRONG
// expect: unsafe assertion 18
#include <assert.h>
#include <pthread.h>
#ifndef THREADS
#define THREADS 100
#endif

static int count;

static void *counts(void *arg) {
  count += (int)(long)arg;
#ifdef WRONG
  assert(count != 90);
#endif
  return arg;
}

int main(void) {
  for (int i = 0; i < THREADS; i++) {
    pthread_t t;
    void *result = NULL;
    pthread_create(&t, NULL, counts, (void *)1);
    pthread_join(t, &result);
    assert(result == (void *)1 && count == i + 1);
  }
}
