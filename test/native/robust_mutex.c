// A thread ends holding a robust mutex: the next one is told, repairs what it protects, and goes on. SHAME: it does not repair it,
// and the mutex is of no use any more. BUG: the mutex is not robust, and the next one waits for ever.
// expect: safe full=yes
// args: --cc=clang
// expect: safe
// args: -DSHAME
// expect: safe
// args: -DBUG
// expect: unsafe deadlock *
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int half_done;

static void *dies(void *arg) {
  int e = pthread_mutex_lock(&mutex);
  assert(e == 0 || e == EOWNERDEAD || e == ENOTRECOVERABLE);
  if (e == 0)
    half_done = 1;
  return arg;
}

static void *goes_on(void *arg) {
  int e = pthread_mutex_lock(&mutex);
  if (e == ENOTRECOVERABLE)
    return arg;
  assert((e == EOWNERDEAD) == half_done);
#ifndef SHAME
  if (e == EOWNERDEAD) {
    half_done = 0;
    e = pthread_mutex_consistent(&mutex);
    assert(e == 0);
  }
  e = pthread_mutex_consistent(&mutex);
  assert(e == EINVAL); // it is
#endif
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifndef BUG
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
  pthread_mutex_init(&mutex, &attributes);
  pthread_create(&t[0], NULL, goes_on, NULL);
  pthread_create(&t[1], NULL, goes_on, NULL);
  pthread_create(&t[2], NULL, dies, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
