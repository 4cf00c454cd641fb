// main waits for a semaphore that nobody posts any more: the worker posts once, main waits twice.
// expect: unsafe deadlock 18
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *worker(void *arg) {
  sem_post(&done);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&done, 0, 0);
  pthread_create(&t, NULL, worker, NULL);
  sem_wait(&done);
  sem_wait(&done);
  pthread_join(t, NULL);
}
