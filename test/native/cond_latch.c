// A latch that opens when it was counted down twice. BUG: who counts to zero says so only if somebody was waiting when it
// came, and looks for that before it has the lock.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 37
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int count = 2, result[2];
static atomic_int waiters;

static void *worker(void *arg) {
  long me = (long)arg;
  result[me] = (int)me + 1;
#ifdef BUG
  int asked = waiters;
#else
  int asked = 1;
#endif
  pthread_mutex_lock(&lock);
  if (--count == 0 && asked)
    pthread_cond_broadcast(&opened);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  pthread_mutex_lock(&lock);
  waiters = 1;
  while (count > 0)
    pthread_cond_wait(&opened, &lock);
  pthread_mutex_unlock(&lock);
  assert(result[0] + result[1] == 3);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
