// Lamport's fast mutual exclusion for two threads. BUG: who lost the first gate does not wait for the others to be through.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 42
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int b[3], x, y, inside; // threads are 1 and 2; 0 is nobody

static void enter(int me) {
  int other = 3 - me;
  for (;;) {
    b[me] = 1;
    x = me;
    if (y != 0) {
      b[me] = 0;
      while (y != 0) {
      }
      continue;
    }
    y = me;
    if (x == me)
      return;
    b[me] = 0;
#ifndef BUG
    while (b[other]) {
    }
#else
    (void)other;
#endif
    if (y == me)
      return;
    while (y != 0) {
    }
  }
}

static void *worker(void *arg) {
  int me = (int)(long)arg;
  enter(me);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  y = 0;
  b[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
// compilers: clang, told not to inline, makes a static variable that one function uses a local one: x
