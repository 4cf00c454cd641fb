// Different depths of a recursion are different states.
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f;
static __attribute__((noinline)) int rec(void) {
  if (f)
    return 0;
  return 1 + rec();
}
static void *t(void *a) {
  int d = rec();
  assert(d < 200);
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  f = 1;
  pthread_join(h, 0);
  return 0;
}
