// A signal after the unlock is as good. BUG: the flag is set without the lock, after the waiter looked and before it waits.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 17|33
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready_changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  while (!ready)
    pthread_cond_wait(&ready_changed, &lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
#ifdef BUG
  ready = 1;
#else
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
#endif
  pthread_cond_signal(&ready_changed);
  pthread_join(t, NULL);
}
