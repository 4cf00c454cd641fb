// The try functions of a read-write lock: a reader gets in beside a reader, a writer does not.
// expect: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg) {
  int e = pthread_rwlock_trywrlock(&lock);
  assert(e == EBUSY);
  e = pthread_rwlock_tryrdlock(&lock);
  assert(e == 0);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_rwlock_rdlock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  pthread_rwlock_unlock(&lock);
  int e = pthread_rwlock_trywrlock(&lock);
  assert(e == 0);
}
