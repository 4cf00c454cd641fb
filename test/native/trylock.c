// One locks and unlocks, the other tries once: before, during, after: 3 traces. BUG: it believes that it always succeeds.
// expect: safe traces=3 full=yes
// args: -DBUG
// expect: unsafe data-race 24|13 or lock 25
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *locks(void *arg) {
  pthread_mutex_lock(&lock);
  shared = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *tries(void *arg) {
  int e = pthread_mutex_trylock(&lock);
#ifdef BUG
  e = 0;
#endif
  if (e == 0) {
    shared = 2;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, locks, NULL);
  pthread_create(&t[1], NULL, tries, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
