// Two threads join each other: main gives each the other's handle. (The library may see the circle and say so instead.)
// expect: unsafe deadlock 12|13|25 or assertion 14
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t t[2];
static sem_t known[2];

static void *worker(void *arg) {
  long me = (long)arg;
  sem_wait(&known[me]);
  int e = pthread_join(t[1 - me], NULL);
  assert(e == 0);
  return NULL;
}

int main(void) {
  for (int i = 0; i < 2; i++)
    sem_init(&known[i], 0, 0);
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    sem_post(&known[i]);
  sem_wait(&known[0]);
}
