// The program ends with a status other than zero in one order of the two.
// expect: unsafe exit 22
// args: --check=assertions
// expect: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *worker(void *arg) {
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int seen = x;
  pthread_join(t, NULL);
  if (seen)
    exit(3);
}
