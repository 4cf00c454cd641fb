// A function whose name begins with __VERIFIER_atomic_ is atomic as a whole, and an assumption inside it waits: a lock.
// BUG: the lock is not given back, and the other waits for ever.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 15|20|33
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
static atomic_int taken;
static int shared;

void __VERIFIER_atomic_take(void) {
  __VERIFIER_assume(taken == 0);
  taken = 1;
}

static void *worker(void *arg) {
  __VERIFIER_atomic_take();
  shared++;
#ifndef BUG
  taken = 0;
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(shared == 2);
}
