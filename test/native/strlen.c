// Functions of the C library read shared memory as well.
// expect: unsafe data-race *
#include <pthread.h>
#include <string.h>

static char buf[32];
static volatile size_t n;
static void *t(void *a) {
  n = strlen(buf);
  return 0;
}
int main() {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  buf[0] = 'x';
  pthread_join(h, 0);
}
