// A relaxed store continues the release sequence of its thread (C11 to C17), unless a store of another thread stands between
// the two. Nobody reads that one; but only where it stands there, reading 2 does not synchronise, and there is a race.
// expect: unsafe data-race *
// args: -DRELEASE
// expect: safe
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define AGAIN memory_order_release
#else
#define AGAIN memory_order_relaxed
#endif
static int data;
static atomic_int x;

static void *writer(void *arg) {
  data = 1;
  atomic_store_explicit(&x, 1, memory_order_release);
  atomic_store_explicit(&x, 2, AGAIN);
  return arg;
}

static void *intruder(void *arg) {
  atomic_store_explicit(&x, 5, memory_order_release);
  return arg;
}

static void *reader(void *arg) {
  if (atomic_load_explicit(&x, memory_order_acquire) == 2)
    return (void *)(long)data;
  return arg;
}

int main(void) {
  void *(*code[])(void *) = {writer, intruder, reader};
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, code[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
