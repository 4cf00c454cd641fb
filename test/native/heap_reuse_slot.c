// Who finds the same address in the slot takes it for the same object. It may be a new one at the same place.
// expect: safe
// args: --heap-reuse
// expect: unsafe assertion 30
// args: --heap-reuse=2 --check=memory,data-races
// expect: safe full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;
static atomic_int version;

static void *replaces(void *arg) {
  int *old = atomic_exchange(&slot, NULL);
  if (!old)
    return arg;
  free(old);
  int *new = malloc(sizeof *new);
  *new = 2;
  version++;
  slot = new;
  return arg;
}

static void *empties(void *arg) {
  int *seen = slot, before = version;
  if (seen && atomic_compare_exchange_strong(&slot, &seen, NULL)) {
    assert(version == before);
    free(seen);
  }
  return arg;
}

int main(void) {
  pthread_t t, u;
  int *first = malloc(sizeof *first);
  *first = 1;
  slot = first;
  pthread_create(&t, NULL, replaces, NULL);
  pthread_create(&u, NULL, empties, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  free(slot);
}
