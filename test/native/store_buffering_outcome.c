// The same outcomes are all there: each of the three is excluded by one assertion that then fails.
// args: -DA=0 -DB=1
// expect: unsafe assertion 39
// args: -DA=1 -DB=0
// expect: unsafe assertion 39
// args: -DA=1 -DB=1
// expect: unsafe assertion 39
// args: -DA=0 -DB=0
// expect: safe traces=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef A
#define A 0
#define B 0
#endif
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
  assert(!(r[0] == A && r[1] == B));
}
