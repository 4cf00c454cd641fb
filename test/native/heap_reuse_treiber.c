// Treiber's stack with malloc and free. What a thread has announced is not freed by the other one, so that nobody reads a node
// that is gone. But it has to stay announced until the compare-and-swap: otherwise (BUG) the top may be another node at the same
// address by then, and what was read as the next one is gone. With a tag beside the pointer (TAG) it does not matter.
// expect: safe
// args: --heap-reuse
// expect: safe
// args: --heap-reuse -DTAG
// expect: safe
// args: -DBUG
// expect: safe
// args: -DBUG --heap-reuse
// expect: unsafe memory 109|110
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  struct node *next;
  atomic_int *taken;
};

static _Atomic(uint64_t) top; // in the upper 16 bits a tag
static struct node *_Atomic announced;
static atomic_int taken[3];

static struct node *node_of(uint64_t word) {
  return (struct node *)(uintptr_t)(word & (((uint64_t)1 << 48) - 1));
}

static uint64_t word_of(struct node *n, uint64_t old) {
#ifdef TAG
  return (uint64_t)(uintptr_t)n | (((old >> 48) + 1) << 48);
#else
  (void)old;
  return (uint64_t)(uintptr_t)n;
#endif
}

static void push(int i) {
  struct node *n = malloc(sizeof *n);
  uint64_t old = top;
  n->taken = &taken[i];
  do
    n->next = node_of(old);
  while (!atomic_compare_exchange_strong(&top, &old, word_of(n, old)));
}

static int takes(uint64_t old, struct node *next) {
  return atomic_compare_exchange_strong(&top, &old, word_of(next, old));
}

static struct node *kept[3]; // each by one thread, until main frees it

static void *looks_first(void *arg) {
  uint64_t old = top;
  struct node *n = node_of(old), *next = NULL;
  announced = n;
  if (n && top == old) {
    next = n->next;
#if defined BUG || defined TAG
    announced = NULL;
#endif
    if (takes(old, next)) {
      assert(atomic_fetch_add(n->taken, 1) == 0);
      kept[0] = n;
    }
  }
  announced = NULL;
  return arg;
}

// Nobody else frees: it may read what it finds.
static struct node *pop(void) {
  uint64_t old = top;
  struct node *n = node_of(old);
  if (!n || !takes(old, n->next))
    return NULL;
  assert(atomic_fetch_add(n->taken, 1) == 0);
  return n;
}

static int frees(struct node *n, struct node **otherwise) {
  if (n && announced == n)
    *otherwise = n;
  else
    free(n);
  return n && !*otherwise;
}

static void *takes_two_and_puts_one(void *arg) {
  struct node *a = pop(), *b = a ? pop() : NULL;
  frees(b, &kept[1]);
  if (frees(a, &kept[2]))
    push(2);
  return arg;
}

int main(void) {
  pthread_t t, u;
  push(1);
  push(0);
  pthread_create(&t, NULL, looks_first, NULL);
  pthread_create(&u, NULL, takes_two_and_puts_one, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  for (struct node *n = node_of(top), *next; n; n = next) {
    next = n->next;
    assert(atomic_fetch_add(n->taken, 1) == 0);
    free(n);
  }
  for (int i = 0; i < 3; i++)
    free(kept[i]);
}
