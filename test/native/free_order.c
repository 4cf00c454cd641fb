// A use after free in one order only, races not being looked for.
// args: --check=memory,crashes
// expect: unsafe memory *
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int d;
static int *p;
static void *t(void *a) {
  d = 1;
  free(p);
  return 0;
}
static void *u(void *a) {
  *p = 1;
  d = 2;
  return 0;
}
int main() {
  pthread_t h[2];
  p = malloc(4);
  *p = 0;
  pthread_create(&h[0], 0, u, 0);
  pthread_create(&h[1], 0, t, 0);
  pthread_join(h[0], 0);
  pthread_join(h[1], 0);
}
