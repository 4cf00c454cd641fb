// The program ends with a status other than zero in one order of the two: an error only for those who ask.
// expect: safe
// args: --check=exits
// expect: unsafe exit 22
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
