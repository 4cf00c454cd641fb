// Both store and then look at the other's: under sequential consistency at least one sees it. 3 traces, since both
// conflicts the other way round would be a cycle.
// expect: safe traces=3 full=yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r[2];

static void *one(void *arg) {
  x = 1;
  r[0] = y;
  return arg;
}

static void *two(void *arg) {
  y = 1;
  r[1] = x;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(r[0] + r[1] >= 1);
}
