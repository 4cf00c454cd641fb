/* A stack with elimination (after Hendler, Shavit, Yerushalmi, "A scalable lock-free stack algorithm", SPAA 2004): a push and a pop
 * that are disturbed at the top of the stack meet at a slot instead, and need not touch the stack. The mistake: a push that takes its
 * offer back looks whether it is still there, and clears the slot afterwards, instead of doing both at once. A pop that takes the
 * offer in between has the value, and so has the stack, when the push tries again. For that the push has to be disturbed by a second
 * thread, the pop by a third, and both have to meet at the right moment. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 3, VALUES = 2, EMPTY = 0, TAKEN = -1, NOTHING = -2 };

static struct {
  int value, next;
} nodes[THREADS * VALUES + 1]; // 0: none
static atomic_int top, slot, popped[THREADS * VALUES + 1];

static int push_once(int node) {
  int first = top;
  nodes[node].next = first;
  return atomic_compare_exchange_strong(&top, &first, node);
}

/* Somebody may take the value from the slot: has it been done? */
static int offer(int node) {
  int empty = EMPTY;
  if (!atomic_compare_exchange_strong(&slot, &empty, node))
    return 0;
#ifdef FIXED
  int mine = node;
  if (atomic_compare_exchange_strong(&slot, &mine, EMPTY))
    return 0;
#else
  if (slot == node) {
    slot = EMPTY;
    return 0;
  }
#endif
  slot = EMPTY; // it was taken
  return 1;
}

static void push(int node) {
  while (!push_once(node) && !offer(node))
    ;
}

/* Nodes are used once: nobody finds the same one at the top again. */
static int pop_once(void) {
  int first = top;
  if (first == 0)
    return 0;
  return atomic_compare_exchange_strong(&top, &first, nodes[first].next) ? first : NOTHING;
}

static int take(void) {
  int offered = slot;
  return offered > 0 && atomic_compare_exchange_strong(&slot, &offered, TAKEN) ? offered : NOTHING;
}

static int pop(void) {
  int node = pop_once();
  while (node == NOTHING) {
    node = take();
    if (node == NOTHING)
      node = pop_once();
  }
  return node;
}

static void *worker(void *arg) {
  int me = (int)(long)arg;
  for (int i = 1; i <= VALUES; i++) {
    push(me * VALUES + i);
    int node = pop();
    assert(node == 0 || atomic_fetch_add(&popped[node], 1) == 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}
