// A semaphore of one used as a mutex. BUG: a semaphore of two.
// expect: safe
// args: -DBUG
// expect: unsafe data-race 14
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t one;
static int shared;

static void *worker(void *arg) {
  sem_wait(&one);
  shared++;
  sem_post(&one);
  return arg;
}

int main(void) {
  pthread_t t[3];
#ifdef BUG
  sem_init(&one, 0, 2);
#else
  sem_init(&one, 0, 1);
#endif
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  sem_destroy(&one);
  assert(shared == 3);
}
