// A local variable of main is given to a thread by its address: it is shared. BUG: both use it without order.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 9|18
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg) {
  ++*(int *)arg;
  return NULL;
}

int main(void) {
  pthread_t t;
  int local = 1;
  pthread_create(&t, NULL, worker, &local);
#ifdef BUG
  local++;
  pthread_join(t, NULL);
#else
  pthread_join(t, NULL);
  local++;
#endif
  assert(local == 3);
}
