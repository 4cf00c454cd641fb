// A lock that is the lowest bit of a word, which lies on main's own stack, as does the value that is expected there: a failing
// exchange writes the locked value to it, and main takes the bit away again. That it has read it in between is nothing that main
// waits to see changed. BROKEN: the bit stays, and so the lock is taken by a second one.
// expect: safe
// args: -DBROKEN
// expect: unsafe data-race *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct guarded {
  atomic_long word;
  int data;
};

static void lock(atomic_long *word) {
  long seen = 8;
  while (!atomic_compare_exchange_strong(word, &seen, seen | 1)) {
#ifndef BROKEN
    seen &= ~1L;
#endif
  }
}

static void *worker(void *arg) {
  struct guarded *g = arg;
  lock(&g->word);
  g->data++;
  atomic_fetch_and(&g->word, ~1L);
  return NULL;
}

int main(void) {
  struct guarded g = {8, 0};
  pthread_t t;
  pthread_create(&t, NULL, worker, &g);
  worker(&g);
  pthread_join(t, NULL);
  assert(g.data == 2);
}
