// A loop that stores what is there already waits for others to change that, too.
// expect: safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, go;
static void *s(void *a) {
  while (!atomic_load(&go))
    atomic_store(&x, 1);
  return 0;
}
static void *t(void *a) {
  atomic_store(&x, 0);
  while (atomic_load(&x) == 0)
    ;
  atomic_store(&go, 1);
  return 0;
}
int main() {
  pthread_t h[2];
  pthread_create(&h[0], 0, s, 0);
  pthread_create(&h[1], 0, t, 0);
  pthread_join(h[0], 0);
  pthread_join(h[1], 0);
}
