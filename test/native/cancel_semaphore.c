// A permit that a cancelled thread has not taken is there for the next one; and it is cancelled or has it, never both.
// expect: safe
// args: -DBUG
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int taken;

static void *taker(void *arg) {
  sem_wait(&permits);
  taken++;
  return arg;
}

static void *giver(void *arg) {
  sem_post(&permits);
  return arg;
}

int main(void) {
  pthread_t t, u;
  void *result;
  int left;
  sem_init(&permits, 0, 0);
  pthread_create(&t, NULL, taker, NULL);
  pthread_create(&u, NULL, giver, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
  pthread_join(u, NULL);
  sem_getvalue(&permits, &left);
  assert(left + taken == 1 && (result == PTHREAD_CANCELED) == left);
#ifdef BUG
  assert(taken);
#endif
}
