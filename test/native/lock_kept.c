// A thread ends without giving its lock back: the other one waits for ever.
// expect: unsafe deadlock 19|29
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int in_a_hurry;

static void *first(void *arg) {
  pthread_mutex_lock(&lock);
  if (in_a_hurry)
    return arg;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *second(void *arg) {
  in_a_hurry = 1;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
