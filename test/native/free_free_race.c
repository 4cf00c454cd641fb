// Two threads free the same block. Where races are no errors the later one fails, and either may be the later one: two traces.
// ORDERED: the first to come takes the block out of the variable, so that there is one free.
// args: --races=ignore --all-errors
// expect: unsafe memory 19 memory 24 traces=2
// args: --races=ignore -DORDERED
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) block;
#ifdef ORDERED
#define TAKE() atomic_exchange(&block, NULL)
#else
#define TAKE() atomic_load_explicit(&block, memory_order_relaxed)
#endif

static void *first(void *arg) {
  free(TAKE());
  return arg;
}

static void *second(void *arg) {
  free(TAKE());
  return arg;
}

int main(void) {
  pthread_t t[2];
  block = malloc(8);
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
