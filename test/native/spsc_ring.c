// One producer, one consumer, a ring of two plain cells between them. BUG: the index is published before the cell is written.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 22|35 or assertion 36
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 3
static int cells[SIZE];
static atomic_uint head, tail;

static void *producer(void *arg) {
  (void)arg;
  for (unsigned i = 0; i < ITEMS; i++) {
    while (i - atomic_load_explicit(&head, memory_order_acquire) == SIZE) {
    }
#ifdef BUG
    atomic_store_explicit(&tail, i + 1, memory_order_release);
#endif
    cells[i % SIZE] = (int)i + 10;
#ifndef BUG
    atomic_store_explicit(&tail, i + 1, memory_order_release);
#endif
  }
  return NULL;
}

static void *consumer(void *arg) {
  (void)arg;
  for (unsigned i = 0; i < ITEMS; i++) {
    while (atomic_load_explicit(&tail, memory_order_acquire) == i) {
    }
    int value = cells[i % SIZE];
    assert(value == (int)i + 10);
    atomic_store_explicit(&head, i + 1, memory_order_release);
  }
  return NULL;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
