// A thread-local variable is no longer private when its address is given away. BUG: without the lock.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 16|31
#include <assert.h>
#include <pthread.h>

static __thread int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  int *mains = arg;
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  ++*mains;
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  counter = 7;
  return NULL;
}

int main(void) {
  pthread_t t;
  (void)&lock;
  pthread_create(&t, NULL, worker, &counter);
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  counter++;
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(t, NULL);
  assert(counter == 2);
}
