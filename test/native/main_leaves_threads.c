// main returns while one thread waits for ever and another one is at work: the end of the program, no deadlock.
// expect: safe
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *works(void *arg) {
  x = 1;
  x = 2;
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_mutex_lock(&lock);
  pthread_create(&t[0], NULL, waits, NULL);
  pthread_create(&t[1], NULL, works, NULL);
  return x == 3;
}
