// MCS lock, whose nodes lie on the stacks of the threads that wait: the others write to them. When they do so is no part of the
// state in which a thread waits, so that all algorithms visit the same traces. BROKEN: who finds no successor leaves at once,
// although one may be about to announce itself, to a node that is gone then.
// expect: safe traces=6
// args: -DN=3
// expect: safe traces=66
// args: -DBROKEN
// expect: unsafe data-race *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_bool waits;
};

static _Atomic(struct node *) tail;
static int counter;

static void lock(struct node *me) {
  atomic_store(&me->next, NULL);
  atomic_store(&me->waits, 1);
  struct node *before = atomic_exchange(&tail, me);
  if (before) {
    atomic_store(&before->next, me);
    while (atomic_load(&me->waits)) {
    }
  }
}

static void unlock(struct node *me) {
  struct node *after = atomic_load(&me->next);
  if (!after) {
    struct node *expected = me;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL))
      return;
#ifdef BROKEN
    return;
#endif
    while (!(after = atomic_load(&me->next))) {
    }
  }
  atomic_store(&after->waits, 0);
}

static void *worker(void *arg) {
  struct node me;
  lock(&me);
  counter++;
  unlock(&me);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(counter == N);
}
