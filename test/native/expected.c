// What a compare-exchange expects is read as any other variable, and written if it fails: threads that share it race (K=0,
// 1: of 16 bytes), it may be gone (K=2: freed, K=3: the frame is), lie beyond a block (K=4), be unwritten (K=5), and what is
// written there is seen and taken back (K=6, without looking for races). FIXED: the same, done well.
// args: -DK=0
// expect: unsafe data-race 62
// args: -DK=0 -DFIXED
// expect: safe
// args: --cflags=-mcx16 -DK=1
// expect: unsafe data-race 70
// args: --cflags=-mcx16 -DK=1 -DFIXED
// expect: safe
// args: -DK=2
// expect: unsafe data-race|memory 80|82|87
// args: -DK=2 -DFIXED
// expect: safe
// args: -DK=3
// expect: unsafe memory 100
// args: -DK=3 -DFIXED
// expect: safe
// args: -DK=4
// expect: unsafe memory 109
// args: -DK=4 -DFIXED
// expect: safe
// args: -DK=5 --check=default,uninitialised
// expect: unsafe uninitialised 121
// args: -DK=5 -DFIXED --check=default,uninitialised
// expect: safe
// args: -DK=6 --check=assertions
// expect: unsafe assertion 137
// args: -DK=6 -DFIXED --check=assertions
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
}

static void leave(void) {
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
}

#define WORKS(action) \
  static void *works(void *a) { \
    action; \
    return a; \
  }

#if K == 0
static atomic_int x;
static int wanted = 1;
static void try(void) {
  enter();
  atomic_compare_exchange_strong(&x, &wanted, 2);
  leave();
}
WORKS(try())
#elif K == 1
static __int128 x, wanted = 1;
static void try(void) {
  enter();
  __atomic_compare_exchange_n(&x, &wanted, 2, 0,
                              __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  leave();
}
WORKS(try())
#elif K == 2
struct node { struct node *next; };
static struct node *_Atomic head;
static void try(void) { /* the node may be taken, and freed, as soon as it is there */
  struct node *n = malloc(sizeof *n);
  for (n->next = NULL; !atomic_compare_exchange_strong(&head, &n->next, n);) {}
#ifndef FIXED
  atomic_compare_exchange_strong(&head, &n->next, NULL);
#endif
}
static void *works(void *a) {
  struct node *n = atomic_exchange(&head, NULL);
  free(n);
  return a;
}
#elif K == 3
static atomic_int x;
static __attribute__((noinline)) int *own(void) {
  static int kept;
  int local = 1, *volatile p = &local;
#ifdef FIXED
  p = &kept;
#endif
  return p;
}
static void try(void) { atomic_compare_exchange_strong(&x, own(), 2); }
WORKS(;)
#elif K == 4
static atomic_int x;
static void try(void) {
  int *block = calloc(1, 4);
#ifdef FIXED
  atomic_compare_exchange_strong(&x, block, 2);
#else
  atomic_compare_exchange_strong(&x, block + 1, 2);
#endif
  free(block);
}
WORKS(;)
#elif K == 5
static atomic_int x;
static void try(void) {
  int *block = malloc(4);
#ifdef FIXED
  *block = 3;
#endif
  atomic_compare_exchange_strong(&x, block, 2);
  free(block);
}
WORKS(;)
#else
static atomic_int x = 5;
static int wanted = 1;
static void try(void) {
  enter();
  atomic_compare_exchange_strong(&x, &wanted, 2);
  leave();
}
static void *works(void *a) {
  enter();
  if (wanted != 1) {
#ifndef FIXED
    assert(wanted == 1);
#endif
    assert(wanted == 5);
  }
  leave();
  return a;
}
#endif

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  try();
  pthread_join(t, NULL);
  return 0;
}
