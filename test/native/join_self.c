// A thread that joins itself would wait for ever; the library says so instead.
// expect: safe warns=refused:8
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *worker(void *arg) {
  int e = pthread_join(pthread_self(), NULL);
  assert(e == EDEADLK);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
}
