// A barrier for three made of semaphores: the last one opens the turnstile, and each lets the next one through.
// BUG: nobody passes it on.
// expect: safe
// args: -DBUG
// expect: unsafe deadlock 21|37
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define N 3
static sem_t mutex, turnstile;
static int count, here[N];

static void *worker(void *arg) {
  long me = (long)arg;
  here[me] = 1;
  sem_wait(&mutex);
  if (++count == N)
    sem_post(&turnstile);
  sem_post(&mutex);
  sem_wait(&turnstile);
#ifndef BUG
  sem_post(&turnstile);
#endif
  for (int i = 0; i < N; i++)
    assert(here[i]);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  sem_init(&mutex, 0, 1);
  sem_init(&turnstile, 0, 0);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
}
