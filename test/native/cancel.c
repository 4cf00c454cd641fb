// A thread is cancelled at a place where it may be: before, or while it waits; its handler gives back the mutex, which pthread_cond_wait
// takes again first. BUG: there is no handler, and the mutex stays locked.
// expect: safe full=yes
// args: --cc=clang
// expect: safe
// args: -DBUG
// expect: unsafe deadlock *
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value, cleaned;

static void unlock(void *arg) {
  cleaned++;
  pthread_mutex_unlock(arg);
}

static void *waiter(void *arg) {
  pthread_mutex_lock(&mutex);
#ifndef BUG
  pthread_cleanup_push(unlock, &mutex);
#endif
  while (!value)
    pthread_cond_wait(&changed, &mutex);
#ifndef BUG
  pthread_cleanup_pop(1);
#else
  pthread_mutex_unlock(&mutex);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, waiter, &mutex);
  pthread_cancel(t);
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED || result == &mutex);
#ifndef BUG
  assert(cleaned == 1);
#endif
}
