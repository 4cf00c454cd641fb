// A pointer to a local variable outlives its thread.
// expect: unsafe data-race|memory *
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic p;
static atomic_int o;
static void *t(void *a) {
  volatile int x = 0;
  p = (int *)&x;
  o = 1;
  return 0;
}
static void *u(void *a) {
  int *q = p;
  if (q)
    *q = 1;
  return 0;
}
static void *v(void *a) {
  return (void *)(long)o;
}
int main() {
  pthread_t h[3];
  pthread_create(&h[1], 0, u, 0);
  pthread_create(&h[0], 0, t, 0);
  pthread_create(&h[2], 0, v, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(h[i], 0);
}
