// A read is put before the write that it saw: what is in its past comes before it, the rest behind. Of the two writes of m the
// one in the past comes first then, though it came last, and first() has read from it. No such execution is planned.
// expect: unsafe assertion 35
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l, m, read_m, read_l;

static void *first(void *arg) {
  m = 1;
  read_m = m;
  return arg;
}

static void *second(void *arg) {
  m = 2;
  read_l = l;
  return arg;
}

static void *third(void *arg) {
  l = 3;
  return arg;
}

int main(void) {
  void *(*functions[])(void *) = {first, second, third};
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, functions[i], NULL);
  l = 1;
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  assert(read_m != 2 || read_l != 0);
}
