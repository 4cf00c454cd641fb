// A thread ends the whole program while main waits for a semaphore that nobody posts.
// expect: safe
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;

static void *worker(void *arg) {
  (void)arg;
  exit(0);
}

int main(void) {
  pthread_t t;
  sem_init(&never, 0, 0);
  pthread_create(&t, NULL, worker, NULL);
  sem_wait(&never);
}
