// A long execution: two threads, 1000 * N plain accesses to data of their own altogether, and 100 lock operations on locks
// of their own. Traces: 1.
// args: -DN=10
// expect: safe traces=1
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1000
#endif
#define SECTIONS 25                            // a lock and an unlock each, in two threads: 100
#define ROUNDS (1000 * (N) / 2 / SECTIONS / 2) // a load and a store each
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int data[2][64];

static void *worker(void *arg) {
  long me = (long)arg;
  for (int s = 0; s < SECTIONS; s++) {
    pthread_mutex_lock(&lock[me]);
    for (int i = 0; i < ROUNDS; i++)
      data[me][i % 64]++;
    pthread_mutex_unlock(&lock[me]);
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  int sum = 0;
  for (int i = 0; i < 64; i++)
    sum += data[0][i] + data[1][i];
  assert(sum == 2 * SECTIONS * ROUNDS);
}
