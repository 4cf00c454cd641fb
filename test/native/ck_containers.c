// A stack, a ring and a queue of Concurrency Kit, from its own headers where these are installed. BROKEN: a function for one
// thread is called beside another one.
// args: -DSTACK
// expect: safe
// args: -DSTACK -DBROKEN
// expect: unsafe data-race *
// args: -DRING
// expect: safe
// args: -DRING -DBROKEN
// expect: unsafe data-race *
// args: -DFIFO
// expect: safe
// args: -DFIFO -DBROKEN
// expect: unsafe data-race *
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#if !__has_include(<ck_stack.h>)
static int shared;
static void *first(void *a) {
  shared = 1;
  return a;
}
#define second first
#ifdef BROKEN
#define TWICE
#endif
#elif defined STACK
#include <ck_stack.h>
static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];
static void *first(void *a) {
  (void)a;
  ck_stack_push_upmc(&stack, &entries[0]);
  return 0;
}
static void *second(void *a) {
  (void)a;
#ifdef BROKEN
  return ck_stack_pop_npsc(&stack);
#else
  return ck_stack_pop_upmc(&stack);
#endif
}
#elif defined RING
#include <ck_ring.h>
static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int data = 1;
#define BEGIN ck_ring_init(&ring, 4)
static void *first(void *a) {
  (void)a;
  ck_ring_enqueue_spsc(&ring, buffer, &data);
  return 0;
}
static void *second(void *a) {
  void *found;
  if (ck_ring_dequeue_spsc(&ring, buffer, &found))
    assert(*(int *)found == 1);
  return a;
}
#ifdef BROKEN
#define TWICE
#endif
#else
#include <ck_fifo.h>
static ck_fifo_spsc_t fifo;
#define BEGIN ck_fifo_spsc_init(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)))
static void *first(void *a) {
  ck_fifo_spsc_enqueue(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)), &fifo);
  return a;
}
static void *second(void *a) {
  void *found;
  if (ck_fifo_spsc_dequeue(&fifo, &found))
    assert(found == &fifo);
  return a;
}
#ifdef BROKEN
#define TWICE
#endif
#endif

int main(void) {
  pthread_t x, y, z;
#ifdef BEGIN
  BEGIN;
#endif
  pthread_create(&x, 0, first, 0);
#if __has_include(<ck_stack.h>)
  pthread_create(&y, 0, second, 0);
  pthread_join(y, 0);
#endif
#ifdef TWICE
  pthread_create(&z, 0, first, 0);
  pthread_join(z, 0);
#endif
  pthread_join(x, 0);
  (void)y, (void)z;
}
