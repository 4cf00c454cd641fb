// A thread ends while another one may still use its stack. Where races are no errors, both orders are explored, and in one of
// them what is used is no longer there.
// expect: unsafe data-race|memory *
// args: --races=ignore
// expect: unsafe memory 25
// args: --races=report --all-errors -DSEEN
// expect: unsafe memory 25 memory 25 assertion 27
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic shared;

static void *worker(void *arg) {
  int local = 1;
  shared = &local;
  return arg;
}

static void *user(void *arg) {
  int *it = shared;
  if (it)
    /* perhaps it is gone */
    (*it)++;
#ifdef SEEN
  assert(!it);
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, worker, NULL);
  pthread_create(&t[1], NULL, user, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
}
// compilers: clang -O2 reads and writes *it in one operation: one error instead of two
