// Dijkstra's mutual exclusion of 1965 for two threads. BUG: nobody looks whether another one is past the turn, too.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 30
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int idle[2] = {1, 1}, outside[2] = {1, 1}, turn, inside;

static void *worker(void *arg) {
  int me = (int)(long)arg;
  idle[me] = 0;
  for (;;) {
    int k = turn;
    if (k != me) {
      outside[me] = 1;
      if (idle[k])
        turn = me;
      continue;
    }
    outside[me] = 0;
#ifdef BUG
    break;
#else
    if (outside[1 - me])
      break;
#endif
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  outside[me] = 1;
  idle[me] = 1;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
