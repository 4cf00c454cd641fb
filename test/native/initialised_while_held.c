// A mutex is initialised while another thread holds it.
// expect: unsafe lock 11
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *x) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *b(void *x) {
  pthread_mutex_init(&m, 0);
  return 0;
}
int main(void) {
  pthread_t h[2];
  pthread_create(&h[0], 0, a, 0);
  pthread_create(&h[1], 0, b, 0);
  pthread_join(h[0], 0);
  pthread_join(h[1], 0);
  return 0;
}
