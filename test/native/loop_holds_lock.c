// Who waits at a boundary must not hold what others may need to get there.
// expect: unsafe lock 24
#include <mazurka.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  for (;;) {
    mz_loop_boundary();
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  for (;;) {
    mz_loop_boundary();
    pthread_mutex_lock(&lock);
    if (mz_choose(0, 1))
      mz_loop_boundary();
    pthread_mutex_unlock(&lock);
  }
}
