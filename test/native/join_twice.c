// A thread is joined a second time: its handle is no longer valid.
// expect: unsafe lock|thread|memory 13
#include <pthread.h>

static void *worker(void *arg) {
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_join(t, NULL);
}
