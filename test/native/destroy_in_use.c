// A mutex is destroyed while another thread may use it.
// expect: unsafe lock *
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m;
static atomic_int a1;
static void *t1(void *a) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *t2(void *a) {
  a1 = 1;
  pthread_mutex_destroy(&m);
  return 0;
}
int main() {
  pthread_t h[2];
  pthread_mutex_init(&m, 0);
  pthread_create(&h[0], 0, t1, 0);
  pthread_create(&h[1], 0, t2, 0);
  pthread_join(h[0], 0);
  pthread_join(h[1], 0);
}
