// Two threads count to N each under one mutex. Traces: (2N choose N).
// args: -DN=2
// expect: safe traces=6
// args: -DN=5
// expect: safe traces=252
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 8
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    int j = counter;
    counter = j + 1;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(counter == 2 * N);
}
