// A stack whose head is a pointer and a tag, exchanged as 16 bytes: the tag prevents ABA. BUG: it never changes.
// expect: safe
// args: -DBUG
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
typedef struct node {
  struct node *next;
  int v;
} node;
typedef struct {
  node *top;
  uint64_t tag;
} head;
static _Alignas(16) unsigned __int128 stack;
static node pool[3];
static unsigned __int128 pack(head h) {
  unsigned __int128 r;
  __builtin_memcpy(&r, &h, 16);
  return r;
}
static head unpack(unsigned __int128 x) {
  head h;
  __builtin_memcpy(&h, &x, 16);
  return h;
}
static void push(node *n) {
  unsigned __int128 old = __atomic_load_n(&stack, __ATOMIC_SEQ_CST), new;
  do {
    head h = unpack(old);
    __atomic_store_n(&n->next, h.top, __ATOMIC_RELAXED);
    new = pack((head){n, h.tag
#ifndef BUG
                             + 1
#endif
    });
  } while (!__atomic_compare_exchange_n(&stack, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}
static node *pop(void) {
  unsigned __int128 old = __atomic_load_n(&stack, __ATOMIC_SEQ_CST), new;
  head h;
  do {
    h = unpack(old);
    if (!h.top)
      return NULL;
    new = pack((head){__atomic_load_n(&h.top->next, __ATOMIC_RELAXED), h.tag});
  } while (!__atomic_compare_exchange_n(&stack, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return h.top;
}
static int taken[3];
static void *a(void *x) {
  node *n = pop();
  if (n)
    __atomic_fetch_add(&taken[n->v], 1, __ATOMIC_SEQ_CST);
  return x;
}
static void *b(void *x) {
  node *p = pop(), *q = pop();
  if (q)
    __atomic_fetch_add(&taken[q->v], 1, __ATOMIC_SEQ_CST);
  if (p)
    push(p);
  return x;
}
int main(void) {
  for (int i = 0; i < 3; i++) {
    pool[i].v = i;
    push(&pool[i]);
  }
  pthread_t t[2];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  for (node *n; (n = pop());)
    taken[n->v]++;
  for (int i = 0; i < 3; i++)
    assert(taken[i] == 1);
}
