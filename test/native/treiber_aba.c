// Treiber's stack of the nodes 1 and 2 in an array; the second thread takes both and gives the first one back. Without a tag that
// changes with every step (BUG), the first thread may not notice and makes a taken node the top.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 45
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint top; // node number + 256 * tag
static atomic_uint next[3];
static atomic_int owned[3];

static unsigned tagged(unsigned node, unsigned old) {
#ifdef BUG
  (void)old;
  return node;
#else
  return node + (old / 256 + 1) * 256;
#endif
}

static void push(unsigned node) {
  unsigned old = top;
  do
    next[node] = old % 256;
  while (!atomic_compare_exchange_strong(&top, &old, tagged(node, old)));
}

static unsigned pop(void) {
  unsigned old = top, node;
  do {
    node = old % 256;
    if (node == 0)
      return 0;
  } while (!atomic_compare_exchange_strong(&top, &old, tagged(next[node], old)));
  return node;
}

static void *first(void *arg) {
  (void)arg;
  for (int i = 0; i < 2; i++) {
    unsigned n = pop();
    if (n)
      assert(atomic_fetch_add(&owned[n], 1) == 0);
  }
  return NULL;
}

static void *second(void *arg) {
  (void)arg;
  unsigned n = pop();
  unsigned m = pop();
  if (m)
    atomic_fetch_add(&owned[m], 1);
  if (n)
    push(n);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  push(2);
  push(1);
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
