// Mellor-Crummey and Scott's queue lock, three threads. BUG: who sees no successor frees the lock without looking
// whether one has come meanwhile: that one spins for ever.
// expect: safe
// args: -DBUG
// expect: unsafe livelock 24|61
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define N 3
struct node {
  struct node *_Atomic next;
  atomic_int locked;
};
static struct node nodes[N], *_Atomic tail;
static int shared;

static void lock(struct node *me) {
  me->locked = 1;
  struct node *before = atomic_exchange(&tail, me);
  if (before) {
    before->next = me;
    while (me->locked) {
    }
  }
}

static void unlock(struct node *me) {
  if (!me->next) {
#ifdef BUG
    tail = NULL;
    return;
#else
    struct node *expected = me;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL))
      return;
    while (!me->next) {
    }
#endif
  }
  struct node *next = me->next;
  next->locked = 0;
}

static void *worker(void *arg) {
  struct node *me = arg;
  lock(me);
#ifndef BUG
  shared++;
#endif
  unlock(me);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, &nodes[i]);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
#ifndef BUG
  assert(shared == N);
#else
  (void)shared;
#endif
}
