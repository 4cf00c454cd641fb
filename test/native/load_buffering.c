// Both look and then store: not both can see the other's. 3 traces.
// expect: safe traces=3 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r[2];

static void *one(void *arg) {
  r[0] = x;
  y = 1;
  return arg;
}

static void *two(void *arg) {
  r[1] = y;
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(r[0] + r[1] <= 1);
}
