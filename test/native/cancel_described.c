// A counterexample in which waits of a cancelled thread appear: what they look at is no memory that could be shown.
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t permits;
static const struct timespec soon = {.tv_sec = 1};

static void *worker(void *arg) {
  return sem_timedwait(&permits, &soon) == 0 ? &permits : arg;
}

int main(void) {
  pthread_t t;
  void *result;
  sem_init(&permits, 0, 0);
  pthread_create(&t, NULL, worker, NULL);
  pthread_cancel(t);
  sem_post(&permits);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED || result == NULL);
}
