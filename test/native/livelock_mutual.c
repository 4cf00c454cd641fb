// Two spin until the other has gone on.
// expect: unsafe livelock 10|21
#include <pthread.h>
#include <stdatomic.h>

static atomic_int gone[2];

static void *worker(void *arg) {
  long me = (long)arg;
  while (!gone[1 - me]) {
  }
  gone[me] = 1;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
