// Main waits until two workers have told it, in a variable on its own stack, beside the mutex and the plain sum that they change
// meanwhile. What they change there is no part of the state in which main waits. BROKEN: the sum is read too early.
// expect: safe traces=4 refined=2
// args: -DBROKEN
// expect: unsafe data-race * or assertion *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct results {
  pthread_mutex_t m;
  int sum;
  atomic_int done;
};

static void *worker(void *arg) {
  struct results *r = arg;
  pthread_mutex_lock(&r->m);
  r->sum += 3;
  pthread_mutex_unlock(&r->m);
  atomic_fetch_add(&r->done, 1);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  struct results r = {.m = PTHREAD_MUTEX_INITIALIZER};
  for (int i = 0; i < 2; i++) {
    pthread_create(&t[i], NULL, worker, &r);
    pthread_detach(t[i]);
  }
#ifdef BROKEN
  while (atomic_load(&r.done) < 1) {
  }
#else
  while (atomic_load(&r.done) < 2) {
  }
#endif
  assert(r.sum == 6);
}
