// Michael and Scott's queue with one element: two threads put one more each, a third takes one. Nodes come from an array.
// BUG: a new node is linked with a store instead of a compare-and-swap, so that one may be lost.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 75
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int value;
  struct node *_Atomic next;
};
static struct node nodes[4] = {{0, NULL}, {1, NULL}, {2, NULL}, {4, NULL}};
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];

static void enqueue(struct node *n) {
  for (;;) {
    struct node *last = tail, *next = last->next;
    if (next) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
#ifdef BUG
    last->next = n;
#else
    if (!atomic_compare_exchange_strong(&last->next, &next, n))
      continue;
#endif
    atomic_compare_exchange_strong(&tail, &last, n);
    return;
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

static void *producer(void *arg) {
  enqueue(arg);
  return NULL;
}

static void *consumer(void *arg) {
  *(int *)arg = dequeue();
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  int sum = 0;
  enqueue(&nodes[1]);
  pthread_create(&a, NULL, producer, &nodes[2]);
  pthread_create(&b, NULL, producer, &nodes[3]);
  pthread_create(&c, NULL, consumer, &sum);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  for (int v; (v = dequeue()) != 0;)
    sum += v;
  assert(sum == 7);
}
