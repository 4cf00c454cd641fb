// A detached thread that main waits for by other means. BUG: main does not wait, and the thread uses what main has freed.
// expect: safe
// args: -DBUG
// expect: unsafe memory 13 or data-race 13|27
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t done;

static void *worker(void *arg) {
  *(int *)arg = 42;
  sem_post(&done);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  int *result = malloc(sizeof *result);
  sem_init(&done, 0, 0);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attributes, worker, result);
#ifdef BUG
  free(result);
  sem_wait(&done);
#else
  sem_wait(&done);
  assert(*result == 42);
  free(result);
#endif
}
