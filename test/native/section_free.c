// An atomic section frees what another one uses.
// expect: unsafe memory|data-race *
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
void mz_atomic_begin(void);
void mz_atomic_end(void);

static int *p;
static void *t(void *a) {
  mz_atomic_begin();
  free(p);
  mz_atomic_end();
  return 0;
}
static void *u(void *a) {
  mz_atomic_begin();
  *p = 1;
  mz_atomic_end();
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
