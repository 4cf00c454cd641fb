// Dekker's mutual exclusion for two threads. BUG: a thread looks at the other's wish before it announces its own.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 29
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *worker(void *arg) {
  long me = (long)arg, other = 1 - me;
#ifdef BUG
  int busy = wants[other];
  wants[me] = 1;
#else
  wants[me] = 1;
  int busy = wants[other];
#endif
  while (busy) {
    if (turn != me) {
      wants[me] = 0;
      while (turn != me) {
      }
      wants[me] = 1;
    }
    busy = wants[other];
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  turn = other;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
