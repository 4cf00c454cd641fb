// The pointer is set by one thread and used by the other, which is too early in one order of the two.
// expect: unsafe memory 19
// args: --check=crashes
// expect: unsafe crash 19
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 42;
static int *_Atomic p;

static void *sets(void *arg) {
  p = &value;
  return arg;
}

static void *uses(void *arg) {
  int *q = p;
  int seen = *q;
  return seen == 42 ? arg : NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sets, NULL);
  pthread_create(&t[1], NULL, uses, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
