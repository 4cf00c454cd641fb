// Two threads, N critical sections each: (2N choose N) orders, each a trace.
// args: -DN=2
// expect: safe traces=6 full=yes
// args: -DN=3
// expect: safe traces=20
// args: -DN=6
// expect: safe traces=924
#include <pthread.h>

#ifndef N
#define N 2
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    counter++;
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
  return counter == 2 * N ? 0 : 1;
}
