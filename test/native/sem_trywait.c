// Two try to take the only one: exactly one succeeds, the other is told so. Whichever tries first: 2 traces.
// expect: safe traces=2 full=yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t one;
static int got[2];

static void *worker(void *arg) {
  long me = (long)arg;
  if (sem_trywait(&one) == 0)
    got[me] = 1;
  else
    assert(errno == EAGAIN);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  sem_init(&one, 0, 1);
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(got[0] + got[1] == 1);
}
