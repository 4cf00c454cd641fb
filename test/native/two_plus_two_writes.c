// Two writers in opposite orders: the first write of both cannot survive. 3 traces.
// expect: safe traces=3 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *one(void *arg) {
  x = 1;
  y = 2;
  return arg;
}

static void *two(void *arg) {
  y = 1;
  x = 2;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(!(x == 1 && y == 1));
}
