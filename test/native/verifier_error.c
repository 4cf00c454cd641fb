// The several ways in which a program says that this should not happen.
// args: -DHOW=reach_error
// expect: unsafe assertion 30
// args: -DHOW=__VERIFIER_error
// expect: unsafe assertion 30
// args: -DHOW=abort
// expect: unsafe assertion 30
// args: -DHOW=abort --check=deadlocks
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef HOW
#define HOW abort
#endif
extern void reach_error(void);
extern void __VERIFIER_error(void);
static atomic_int x;

static void *worker(void *arg) {
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  if (x)
    HOW();
  pthread_join(t, NULL);
}
