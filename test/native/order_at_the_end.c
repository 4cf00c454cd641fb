// Which of two writes was the last is seen by nobody but main, after its joins: no thread is left then to race with, but what
// it reads tells two executions apart.
// args: -DWRONG=1
// expect: unsafe assertion 29
// args: -DWRONG=2
// expect: unsafe assertion 29
// args: -DWRONG=3
// expect: safe traces=2 observations=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *one(void *arg) {
  x = 1;
  return arg;
}
static void *two(void *arg) {
  x = 2;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(x != WRONG);
}
