// The signal comes before the wait and is lost: whoever waits must look first whether it has still to wait.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 18|31
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready_changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
#ifndef BUG
  while (!ready)
#endif
    pthread_cond_wait(&ready_changed, &lock);
  assert(ready);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&ready_changed);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
