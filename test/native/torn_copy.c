// A copy is seen half done.
// args: --check=assertions
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <string.h>

static long src[4];
static void *t(void *a) {
  for (int i = 0; i < 4; i++)
    ((volatile long *)src)[i] = 1;
  return 0;
}
int main() {
  pthread_t h;
  long d[4];
  pthread_create(&h, 0, t, 0);
  memcpy(d, src, sizeof d);
  pthread_join(h, 0);
  assert(!(d[0] == 0 && d[3] == 1));
}
