// The same for a stack.
// expect: unsafe data-race *
#include <pthread.h>

static void *t(void *a) {
  __atomic_store_n((int *)a, 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main() {
  pthread_t h;
  int x = 0;
  pthread_create(&h, 0, t, &x);
  x = 2;
  pthread_join(h, 0);
  return 0;
}
