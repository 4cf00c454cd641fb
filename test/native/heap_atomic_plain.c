// Another thread's atomic access makes the heap of a thread shared, too.
// expect: unsafe data-race *
#include <pthread.h>
#include <stdlib.h>

static int *p;
static void *t(void *a) {
  __atomic_store_n((int *)a, 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main() {
  pthread_t h;
  p = malloc(4);
  *p = 0;
  pthread_create(&h, 0, t, p);
  *p = 2;
  pthread_join(h, 0);
}
