// The divisor is zero in one order of the two.
// expect: unsafe crash 18
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;
static volatile int result;

static void *clears(void *arg) {
  divisor = 0;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, clears, NULL);
  int d = divisor;
  result = 10 / d;
  pthread_join(t, NULL);
}
// compilers: clang leaves out a division whose result nobody uses
