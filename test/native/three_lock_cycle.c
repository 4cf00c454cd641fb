// Three threads, three locks, each takes two: only all three together can block each other.
// expect: unsafe deadlock 10|21
#include <pthread.h>

static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *arg) {
  long me = (long)arg;
  pthread_mutex_lock(&lock[me]);
  pthread_mutex_lock(&lock[(me + 1) % 3]);
  pthread_mutex_unlock(&lock[(me + 1) % 3]);
  pthread_mutex_unlock(&lock[me]);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
