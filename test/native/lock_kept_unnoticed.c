// A thread ends with a mutex, a reader with its lock: nobody ever wants them again, so nothing goes wrong. RIGHT: they give
// them back, though not in the opposite order of taking them.
// expect: safe warns=lock-kept:14,lock-kept:16,lock-kept:22
// args: -DRIGHT
// expect: safe warns=none
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *worker(void *arg) {
  pthread_mutex_lock(&mutex);
  data++;
  pthread_spin_lock(&spin);
#ifdef RIGHT
  pthread_mutex_unlock(&mutex);
  pthread_spin_unlock(&spin);
#endif
#ifndef RIGHT
  pthread_rwlock_rdlock(&lock);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&spin, 0);
  pthread_create(&t, NULL, worker, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(t, NULL);
}
