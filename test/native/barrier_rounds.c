// A pthread barrier used again and again: plain cells written in one round are read in the next. BUG: one barrier too few.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 14|16
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int cell[2], sum[2];

static void *worker(void *arg) {
  long me = (long)arg;
  for (int round = 0; round < 2; round++) {
    cell[me] = round;
    pthread_barrier_wait(&barrier);
    sum[me] += cell[1 - me];
#ifndef BUG
    assert(sum[me] == round);
    pthread_barrier_wait(&barrier);
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&barrier, NULL, 2);
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
