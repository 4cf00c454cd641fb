// Two threads take turns with one condition variable each. BUG: one forgets to wake the other after its last turn.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 17|35
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t your_turn[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int turn, rallies;

static void *player(void *arg) {
  long me = (long)arg;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    while (turn != me)
      pthread_cond_wait(&your_turn[me], &lock);
    assert(rallies % 2 == me);
    rallies++;
    turn = 1 - (int)me;
#ifdef BUG
    if (i == 0)
#endif
      pthread_cond_signal(&your_turn[1 - me]);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, player, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(rallies == 4);
}
