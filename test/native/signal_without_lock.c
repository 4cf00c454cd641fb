// A signal alone orders nothing.
// expect: unsafe data-race *
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int data;
static void *t(void *a) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  data++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main() {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  data = 1;
  pthread_cond_signal(&c);
  pthread_detach(h);
  return 0;
}
