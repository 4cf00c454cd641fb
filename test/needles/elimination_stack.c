/* A stack with elimination (after Hendler, Shavit, Yerushalmi, "A scalable lock-free stack algorithm", SPAA 2004): a push that is disturbed
 * at the top of the stack offers its node at a slot, where a pop can take it without touching the stack. The top carries a count of
 * its changes; the slot does not, and nodes are used again. So a pop may look at an offer, sleep, and take the next offer of the same
 * node for it, with the value of the first: that value is popped twice. For that a second thread has to be disturbed twice, by a
 * third one, each time between its look at the top and its change of it: six preemptions, each at one place. Each call
 * also notes what was done last, for a debugger, and so does a thread that goes: nobody reads that, but it multiplies the traces by
 * thousands, and a search that goes depth first tries all orders of these notes before it tries another beginning. Exhaustive search
 * (optimal) had not come to it after a minute of processor time and 89 million traces. With FIXED the slot carries the value along. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { NODES = 3, EMPTY = 0, TAKEN = -1, BUSY = -2, BITS = 8, MASK = (1 << BITS) - 1 };

static struct {
  atomic_int value, next;
} nodes[NODES]; // 0: none
static atomic_int top; // a node, and how often it was changed above that
static atomic_int slot; // an offer
static atomic_int popped[4]; // how often each value was
static atomic_int last_call;

static int changed(int before, int node) { return ((before & ~MASK) + (1 << BITS)) | node; }

static int push_once(int node) {
  int before = top;
  nodes[node].next = before & MASK;
  return atomic_compare_exchange_strong(&top, &before, changed(before, node));
}

static int pop_once(void) {
  int before = top, node = before & MASK;
  if (node == 0)
    return 0;
  return atomic_compare_exchange_strong(&top, &before, changed(before, nodes[node].next)) ? node : BUSY;
}

static int offered_word(int node, int value) {
#ifdef FIXED
  return node | value << BITS;
#else
  (void)value;
  return node;
#endif
}

/* Has somebody taken it? */
static int offer(int node, int value) {
  int empty = EMPTY, word = offered_word(node, value);
  if (!atomic_compare_exchange_strong(&slot, &empty, word))
    return 0;
  if (atomic_compare_exchange_strong(&slot, &word, EMPTY))
    return 0;
  slot = EMPTY;
  return 1;
}

static int take(int *value) {
  int word = slot;
  if (word <= 0)
    return 0;
  *value = nodes[word & MASK].value;
  return atomic_compare_exchange_strong(&slot, &word, TAKEN) ? word & MASK : 0;
}

static void push(int node, int value) {
  last_call = 1;
  nodes[node].value = value;
  while (!push_once(node) && !offer(node, value))
    ;
  last_call = 2;
}

/* The node, which is the caller's then; 0: there was none. */
static int pop(void) {
  last_call = 3;
  int value = 0, node = take(&value);
  if (node == 0) {
    while ((node = pop_once()) == BUSY)
      ;
    value = node ? nodes[node].value : 0;
  }
  last_call = 4;
  assert(value == 0 || popped[value]++ == 0);
  return node;
}

/* What a thread has to clear up. */
static void *go(void *arg) {
  for (int part = 5; part < 8; part++)
    last_call = part;
  return arg;
}

static void *reuses(void *arg) {
  push(1, 1);
  int node = pop();
  if (node)
    push(node, 2);
  return go(arg);
}

static void *disturbs(void *arg) {
  push(2, 3);
  pop();
  return go(arg);
}

static void *pops(void *arg) {
  pop();
  return go(arg);
}

int main(void) {
  static void *(*const workers[])(void *) = {reuses, disturbs, pops};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, workers[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}
