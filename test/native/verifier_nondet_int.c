// An int of which the assumption leaves four values; one of them makes the thread fail in one order. Where it is not among those
// that are tried, nothing is found.
// args: --nondet=0..2
// expect: safe
// args: --nondet=0..5
// expect: unsafe assertion 16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static atomic_int x;

static void *worker(void *arg) {
  assert(x != 3);
  return arg;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n < 4);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = n;
  pthread_join(t, NULL);
}
