// One thread frees what its allocator goes on using.
// expect: unsafe data-race|memory *
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int d;
static void *t(void *a) {
  d = 1;
  free(a);
  return 0;
}
int main() {
  pthread_t h;
  int *p = malloc(4);
  pthread_create(&h, 0, t, p);
  *p = 2;
  d = 2;
  pthread_join(h, 0);
}
