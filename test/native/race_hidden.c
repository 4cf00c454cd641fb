// Whether the two accesses race depends on who gets the lock first: if the writer does, the lock orders them.
// Only the other order shows it.
// expect: unsafe data-race 10|21
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, turns;

static void *writer(void *arg) {
  x = 1;
  pthread_mutex_lock(&lock);
  turns++;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *reader(void *arg) {
  pthread_mutex_lock(&lock);
  turns++;
  pthread_mutex_unlock(&lock);
  return x > 1 ? NULL : arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
// compilers: clang sees that the value is 0 or 1 and leaves out the load
