// A waiting loop that counts its rounds is never twice in the same state: it is cut after the given number of
// rounds, and the verdict says so.
// args: --unroll=3
// expect: incomplete unroll
// args: --unroll=3 -DBUG
// expect: unsafe assertion 26
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *setter(void *arg) {
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  int rounds = 0;
  pthread_create(&t, NULL, setter, NULL);
  while (!flag)
    rounds++;
  pthread_join(t, NULL);
#ifdef BUG
  assert(rounds != 1);
#else
  assert(rounds >= 0);
#endif
}
