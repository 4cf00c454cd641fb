// Szymanski's mutual exclusion for two threads. BUG: in the waiting room nobody lets those with a lower number go first.
// expect: safe
// args: -DBUG --check=assertions
// expect: unsafe assertion 29
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

// 0 outside, 1 wants in, 2 waits for others, 3 in the door, 4 the door is closed behind
static atomic_int flag[2], inside;

static void *worker(void *arg) {
  long me = (long)arg, other = 1 - me;
  flag[me] = 1;
  while (flag[other] >= 3) {
  }
  flag[me] = 3;
  if (flag[other] == 1) {
    flag[me] = 2;
    while (flag[other] != 4) {
    }
  }
  flag[me] = 4;
#ifndef BUG
  if (other < me)
    while (flag[other] >= 2) {
    }
#endif
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  if (other > me) {
    int f;
    do
      f = flag[other];
    while (f == 2 || f == 3);
  }
  flag[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
