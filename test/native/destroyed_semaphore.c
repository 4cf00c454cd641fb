// A semaphore is destroyed while a thread waits for it, who goes on and uses what is gone. RWLOCK: a read-write lock while a thread holds it, or before it takes
// it. RIGHT: when the thread has ended.
// expect: unsafe lock 18
// args: -DRWLOCK
// expect: unsafe lock 20|35
// args: -DRIGHT
// expect: safe
// args: -DRIGHT -DRWLOCK
// expect: safe
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg) {
#ifndef RWLOCK
  sem_wait(&semaphore);
#else
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&semaphore, 0, 0);
  pthread_create(&t, NULL, worker, NULL);
#ifdef RIGHT
  sem_post(&semaphore);
  pthread_join(t, NULL);
#endif

  sem_destroy(&semaphore), pthread_rwlock_destroy(&lock);
#ifndef RIGHT
  pthread_join(t, NULL);
#endif
}
