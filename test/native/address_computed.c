// A sum of registers by an instruction that computes an address (lea) reads them, though nothing is accessed: in a
// function with a loop, what is not read any more is set to zero before operations.
// args: -O1
// expect: safe
// args: -O2
// expect: safe
// args: -O2 --cc=clang
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, second, next, serving;
static int sum, expected;
static void *works(void *arg) {
  int won = 0, was = 0;
  won = atomic_compare_exchange_strong(&first, &expected, 2);
  if (!won) {
    was = atomic_exchange(&second, 1);
  } else {
    int ticket = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != ticket)
      ;
    won = atomic_compare_exchange_strong(&second, &expected, 2);
    atomic_fetch_add(&serving, 1);
  }
  sum = won * 4 + was;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  assert(sum == 4);
}
