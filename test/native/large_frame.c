// A local variable above a large array.
// args: --cflags=-O0
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define T(name) static void *name(void *arg)
#define RUN2(a, b)                                                                                           \
  int main(void) {                                                                                           \
    pthread_t h[2];                                                                                          \
    pthread_create(&h[0], 0, a, 0);                                                                          \
    pthread_create(&h[1], 0, b, 0);                                                                          \
    pthread_join(h[0], 0);                                                                                   \
    pthread_join(h[1], 0);                                                                                   \
    return 0;                                                                                                \
  }
#define RUN3(a, b, c)                                                                                        \
  int main(void) {                                                                                           \
    pthread_t h[3];                                                                                          \
    pthread_create(&h[0], 0, a, 0);                                                                          \
    pthread_create(&h[1], 0, b, 0);                                                                          \
    pthread_create(&h[2], 0, c, 0);                                                                          \
    for (int i = 0; i < 3; i++)                                                                              \
      pthread_join(h[i], 0);                                                                                 \
    return 0;                                                                                                \
  }
static atomic_int f, g, x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;

T(a) {
  volatile int n = 0;
  char buf[100000];
  buf[5] = 1;
  while (!f) {
    n++;
    if (n == 4)
      assert(buf[5] == 2);
  }
  return 0;
}
T(b) {
  f = 1;
  return 0;
}
RUN2(a, b)
