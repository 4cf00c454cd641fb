// Treiber's stack: two threads push one each, then pop one each. BUG: pop stores the new top instead of comparing first.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 38|37
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  struct node *next;
  atomic_int taken;
};
static struct node nodes[2], *_Atomic top;

static void push(struct node *n) {
  n->next = top;
  while (!atomic_compare_exchange_strong(&top, &n->next, n)) {
  }
}

static struct node *pop(void) {
  struct node *n = top;
#ifdef BUG
  if (n)
    top = n->next;
#else
  while (n && !atomic_compare_exchange_strong(&top, &n, n->next)) {
  }
#endif
  return n;
}

static void *worker(void *arg) {
  push(arg);
  struct node *n = pop();
  assert(n);
  assert(atomic_fetch_add(&n->taken, 1) == 0);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, &nodes[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
