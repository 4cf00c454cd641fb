// A thread that polls under a mutex of its own, which it has initialised while others run: nobody sees whether it is held, so a
// round changes nothing.
// expect: safe
// args: -DHEAP
// expect: safe
// args: -DHEAP -DLATE
// expect: unsafe assertion 28
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag, told;
static void *polls(void *arg) {
#ifdef HEAP
  pthread_mutex_t *m = malloc(sizeof *m);
#else
  pthread_mutex_t own, *m = &own;
#endif
  pthread_mutex_init(m, NULL);
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(m);
    seen = flag;
    pthread_mutex_unlock(m);
  }
  pthread_mutex_destroy(m);
#ifdef LATE
  assert(told);
#endif
#ifdef HEAP
  free(m);
#endif
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, polls, NULL);
  flag = 1;
  told = 1;
  return pthread_join(t, NULL);
}
