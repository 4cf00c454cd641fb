// A thread ends the whole program while main waits for a lock that nobody gives back.
// expect: safe
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  (void)arg;
  exit(0);
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
}
