// Two threads write a variable that nobody reads, and try to take a lock. Who gets the lock is observed; which write came
// last is not: 2 observations of 4 traces. BROKEN: the loser takes for granted that the winner has written.
// expect: safe traces=4 observations=2
// args: -DBROKEN
// expect: unsafe assertion 19
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int last, winner;

static void *worker(void *arg) {
  last = (int)(long)arg;
#ifdef BROKEN
  if (pthread_mutex_trylock(&lock) == 0)
    winner = (int)(long)arg;
  else
    assert(winner != 0);
#else
  if (pthread_mutex_trylock(&lock) == 0)
    return arg;
#endif
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
