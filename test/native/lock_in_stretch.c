// Each thread takes two mutexes, the other one's first one second. More than sixteen executions, which are not tried again:
// the states before the locks are those that were saved in stretches.
// args: --all-errors
// expect: unsafe deadlock 12 traces=72 observations=21
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, inside;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void enter_both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *other(void *arg) {
  x = 2;
  y = x;
  x = 4;
  enter_both(&b, &a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  x = 1;
  y = x;
  x = 3;
  enter_both(&a, &b);
  pthread_join(t, NULL);
}
