// --check=leaks: what nobody can free any more when the program ends. Not what a variable still refers to, wherever it is: a list, a
// pointer into the middle or with a mark in it, a thread's own variable, its stack while it waits, its result, a key.
// expect: safe
// args: --check=default,leaks
// expect: safe
// args: --check=default,leaks --cflags=-O2
// expect: safe
// args: --check=default,leaks --cc=clang --cflags=-O2
// expect: safe
// args: --check=default,leaks -DKIND=1
// expect: unsafe leak 71
// args: --check=default,leaks -DKIND=1 --cc=clang --cflags=-O2
// expect: unsafe leak 71
// args: --check=default,leaks -DKIND=2
// expect: unsafe leak 74
// args: --check=default,leaks -DKIND=3 --cflags=-O1
// expect: unsafe leak 46
// args: --check=default,leaks -DKIND=4
// expect: unsafe leak 80
// args: --check=leaks,memory -DKIND=5
// expect: unsafe leak 46
// args: -DKIND=5
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef KIND
#define KIND 0
#endif

struct node {
  struct node *next;
  int value;
};
static struct node *_Atomic list, *volatile lost;
static char *volatile middle;
static volatile uintptr_t marked;
static _Thread_local struct node *volatile own;
static pthread_key_t key;
static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;

static struct node *new_node(struct node *next) {
  struct node *n = malloc(sizeof *n);
  n->next = next;
  return n;
}

static void *pushes(void *a) { // forgets that another one may have pushed meanwhile, if KIND is 5
  struct node *n = new_node(NULL), *head = list;
  do
    n->next = head;
  while (!atomic_compare_exchange_strong(&list, &head, n) && KIND != 5);
  return NULL;
}

static void *waits(void *a) {
  struct node *volatile n = new_node(NULL);
  own = new_node(n);
  pthread_mutex_lock(&never); // for ever
  return n;
}

static void *returns(void *a) { return new_node(NULL); }

int main(void) {
  pthread_t t[2], other;
#if KIND == 1
  lost = malloc(100), lost = NULL;
#elif KIND == 2
  for (int i = 0; i < 3; i++)
    lost = malloc(10);
  lost = NULL;
#elif KIND == 3
  lost = new_node(new_node(NULL)), lost->next->next = lost; // a ring
  lost = NULL;
#elif KIND == 4
  char *volatile local = malloc(10); // gone with the function
  (void)local;
#endif
  pthread_mutex_lock(&never);
  pthread_create(&other, NULL, waits, NULL);
  pthread_create(&other, NULL, returns, NULL); // nobody has joined it yet
  pthread_key_create(&key, free);
  pthread_setspecific(key, new_node(NULL));
  middle = malloc(20), middle += 19;
  marked = (uintptr_t)new_node(NULL) | 1 | (uintptr_t)7 << 48;
  own = new_node(NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, pushes, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  struct node *volatile until_exit = new_node(NULL);
  if (until_exit && KIND != 4)
    exit(0);
}
// compilers: without optimisation the last copy of a pointer may stay on the stack
