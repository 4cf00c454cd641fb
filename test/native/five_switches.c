// s goes from 0 to 5 only if the two take turns at every step. Counted by enumeration: 10 traces, one of which fails.
// expect: unsafe assertion 25 switches=5
// args: --all-errors
// expect: unsafe assertion 25 traces=10 found=1 switches=5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int s;

static void from_to(int old, int new) {
  atomic_compare_exchange_strong(&s, &old, new);
}

static void *one(void *arg) {
  from_to(0, 1);
  from_to(2, 3);
  from_to(4, 5);
  return arg;
}

static void *two(void *arg) {
  from_to(1, 2);
  from_to(3, 4);
  assert(s != 5);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
