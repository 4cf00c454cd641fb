// Two reads of one location do not go back in time: the write comes before, between or after them, 3 traces.
// expect: safe traces=3 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return arg;
}

static void *reader(void *arg) {
  int first = atomic_load_explicit(&x, memory_order_relaxed);
  int second = atomic_load_explicit(&x, memory_order_relaxed);
  assert(first <= second);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
