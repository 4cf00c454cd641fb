// Michael and Scott's queue with one element: N threads put one in and take one out each. Traces: no formula.
// args: -DN=2
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
struct node {
  int value;
  struct node *_Atomic next;
};
static struct node nodes[N + 1];
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];
static int got[N];

static void enqueue(struct node *n) {
  for (;;) {
    struct node *last = tail, *next = last->next;
    if (next) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    if (atomic_compare_exchange_strong(&last->next, &next, n)) {
      atomic_compare_exchange_strong(&tail, &last, n);
      return;
    }
  }
}

static int dequeue(void) {
  for (;;) {
    struct node *first = head, *last = tail, *next = first->next;
    if (first != head)
      continue;
    if (!next)
      return 0;
    if (first == last) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    int value = next->value;
    if (atomic_compare_exchange_strong(&head, &first, next))
      return value;
  }
}

static void *worker(void *arg) {
  long me = (long)arg;
  enqueue(&nodes[me + 1]);
  got[me] = dequeue();
  return NULL;
}

int main(void) {
  pthread_t t[N];
  int sum = 0;
  for (int i = 1; i <= N; i++)
    nodes[i].value = i;
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], NULL);
    sum += got[i];
  }
  assert(sum == N * (N + 1) / 2);
}
