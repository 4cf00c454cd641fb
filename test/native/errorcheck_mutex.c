// An error-checking mutex says what is wrong instead of blocking, and its program may rely on it.
// expect: safe traces=1 observations=2
// args: --relation=published
// expect: safe traces=2
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *arg) {
  int e = pthread_mutex_lock(&lock);
  assert(e == 0);
  e = pthread_mutex_lock(&lock);
  assert(e == EDEADLK);
  e = pthread_mutex_unlock(&lock);
  assert(e == 0);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &attributes);
  int e = pthread_mutex_unlock(&lock);
  assert(e == EPERM);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
