/* SafeStack: a lock-free stack of indices, which Vyukov posted as a challenge for checkers (CHESS forum, 2010; also in SCTBench). A
 * thread that takes an element first puts -1 into its link, so that no other thread can take it along. That is not enough: while a
 * thread that has read the head sleeps, the element may be taken, given back, and taken again by others. Three threads and five
 * preemptions are needed for two of them to hold the same element; with two threads it cannot happen. Exhaustive
 * search (optimal) had not come to it after a minute of processor time and 21 million executions. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

enum { THREADS = 3, ELEMENTS = 3, NONE = -1 };

static struct {
  atomic_int next, holder;
} cells[ELEMENTS];
static atomic_int head, count = ELEMENTS;

static int pop(void) {
  while (count > 1) {
    int first = head, next = atomic_exchange(&cells[first].next, NONE);
    if (next == NONE)
      continue; // somebody else is about to take it
    int expected = first;
    if (atomic_compare_exchange_strong(&head, &expected, next)) {
      atomic_fetch_sub(&count, 1);
      return first;
    }
    atomic_exchange(&cells[first].next, next);
  }
  return NONE;
}

static void push(int element) {
  int first = head;
  do
    cells[element].next = first;
  while (!atomic_compare_exchange_strong(&head, &first, element));
  atomic_fetch_add(&count, 1);
}

static void *worker(void *arg) {
  int me = (int)(long)arg;
  for (int round = 0; round < ROUNDS; round++) {
    int element = NONE;
    while (element == NONE)
      element = pop();
    cells[element].holder = me;
    assert(cells[element].holder == me);
    push(element);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < ELEMENTS; i++)
    cells[i].next = i + 1 < ELEMENTS ? i + 1 : NONE;
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}
