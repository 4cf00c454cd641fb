// Mellor-Crummey and Scott's queue lock, N threads. The queue can have N! orders; how many traces there are beyond that
// depends on how often those who wait look, and on who sees a successor in time.
// args: -DN=2
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
struct node {
  struct node *_Atomic next;
  atomic_int locked;
};
static struct node nodes[N], *_Atomic tail;
static int shared;

static void *worker(void *arg) {
  struct node *me = arg;
  me->locked = 1;
  struct node *before = atomic_exchange(&tail, me);
  if (before) {
    before->next = me;
    while (me->locked) {
    }
  }
  shared++;
  struct node *next = me->next, *expected = me;
  if (!next) {
    if (atomic_compare_exchange_strong(&tail, &expected, NULL))
      return NULL;
    while (!(next = me->next)) {
    }
  }
  next->locked = 0;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, &nodes[i]);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(shared == N);
}
