// A rendezvous: each announces itself and waits for the other. BUG: both wait first.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 16|33
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t arrived[2];
static int before[2];

static void *worker(void *arg) {
  long me = (long)arg;
  before[me] = 1;
#ifdef BUG
  sem_wait(&arrived[1 - me]);
  sem_post(&arrived[me]);
#else
  sem_post(&arrived[me]);
  sem_wait(&arrived[1 - me]);
#endif
  assert(before[1 - me]);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    sem_init(&arrived[i], 0, 0);
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
