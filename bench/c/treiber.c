// Treiber's stack: N threads push one and pop one each. Traces: no formula.
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
  struct node *next;
};
static struct node nodes[N], *_Atomic top;
static struct node *got[N];

static void push(struct node *n) {
  n->next = top;
  while (!atomic_compare_exchange_strong(&top, &n->next, n)) {
  }
}

static struct node *pop(void) {
  struct node *n = top;
  while (n && !atomic_compare_exchange_strong(&top, &n, n->next)) {
  }
  return n;
}

static void *worker(void *arg) {
  long me = (long)arg;
  push(&nodes[me]);
  got[me] = pop();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(top == NULL);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      assert(got[i] != got[j]);
}
