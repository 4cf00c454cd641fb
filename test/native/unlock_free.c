// A mutex that nobody holds is unlocked; only if the thread's own lock is skipped, which depends on the other thread.
// expect: unsafe lock 12
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int fast;

static void *worker(void *arg) {
  if (!fast)
    pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  fast = 1;
  pthread_join(t, NULL);
}
