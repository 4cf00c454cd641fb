// A value that moves within an array is another state.
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int f;
static void *t(void *x) {
  volatile long a[80];
  for (int i = 0; i < 80; i++)
    a[i] = 0;
  a[0] = 7;
  while (!f) {
    if (a[64] == 7)
      assert(0);
    a[64] = a[0];
    a[0] = 0;
  }
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  f = 1;
  pthread_join(h, 0);
  return 0;
}
