// The last thread that can go on chooses in the middle of what it does, where nobody else is left to be tried: each of
// the values is tried from there, with all that came before as it was. One of them is wrong if the other thread was first.
// expect: unsafe assertion 30
// args: -DREPAIRED
// expect: safe traces=24 refined=18 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "mazurka.h"

static atomic_int first, sum;

static void *one(void *arg) {
  int none = 0;
  atomic_compare_exchange_strong(&first, &none, 1);
  atomic_fetch_add(&sum, 1);
  return arg;
}

static void *other(void *arg) {
  int none = 0;
  atomic_compare_exchange_strong(&first, &none, 2);
  int before = atomic_load(&sum);
  long chosen = mz_choose(0, 2);
  atomic_fetch_add(&sum, 10);
  int after = atomic_load(&sum);
  int who = atomic_load(&first);
#ifndef REPAIRED
  assert(!(who == 1 && before == 1 && chosen == 1));
#endif
  assert(after >= before + 10);
  return (void *)chosen;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
