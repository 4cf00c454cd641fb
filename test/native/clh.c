// Craig, Landin and Hagersten's queue lock, three threads. BUG: entering the queue takes two steps, so that two may
// wait for the same predecessor.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 28
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
struct node {
  atomic_int locked;
};
static struct node nodes[N + 1], *_Atomic tail = &nodes[N];
static int shared;

static void *worker(void *arg) {
  struct node *me = arg;
  me->locked = 1;
#ifdef BUG
  struct node *before = tail;
  tail = me;
#else
  struct node *before = atomic_exchange(&tail, me);
#endif
  while (before->locked) {
  }
  shared++;
  me->locked = 0;
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
