// A pair in one atomic of eight bytes is never seen half. BUG: two atomics.
// expect: safe
// args: -DBUG
// expect: unsafe assertion 35
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int a, b;
};
#ifdef BUG
static atomic_int first, second;
#else
static _Atomic struct pair both;
#endif

static void *writer(void *arg) {
#ifdef BUG
  first = 1;
  second = 1;
#else
  struct pair p = {1, 1};
  atomic_store(&both, p);
#endif
  return arg;
}

static void *reader(void *arg) {
#ifdef BUG
  struct pair p = {first, second};
#else
  struct pair p = atomic_load(&both);
#endif
  assert(p.a == p.b);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
