// Polling under a mutex is waiting.
// expect: safe
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static void *t(void *a) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main() {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  for (;;) {
    pthread_mutex_lock(&m);
    int r = ready;
    pthread_mutex_unlock(&m);
    if (r)
      break;
  }
  pthread_join(h, 0);
}
