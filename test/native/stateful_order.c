// Two orders of empty critical sections lead to the same memory. In one of them the two writes of x are ordered by the mutex, in the other they
// race: states are the same only if the same accesses race in what follows.
// args: --stateful --relation=published
// expect: unsafe data-race 29
// args: --stateful --relation=published -DORDERED
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x; // not static: a compiler that optimises drops variables that nobody reads
static atomic_int y;

static void *first(void *argument)
{
#ifndef ORDERED
  x = 1;
#endif
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  atomic_load_explicit(&y, memory_order_relaxed);
  return argument;
}
static void *second(void *argument)
{
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  atomic_load_explicit(&y, memory_order_relaxed);
  atomic_load_explicit(&y, memory_order_relaxed);
  x = 1;
  return argument;
}

int main(void)
{
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
