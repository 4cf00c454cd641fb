// A condition variable and a recursive mutex that is locked twice: waiting gives back one of the two, and who is to signal can
// never take it. FIXED: it is locked once.
// expect: unsafe lock 21
// args: -DFIXED
// expect: safe
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
#ifndef FIXED
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  while (!ready)
    pthread_cond_wait(&changed, &lock);
#ifndef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t waiting;
  pthread_create(&waiting, NULL, waits, NULL);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(waiting, NULL);
}
