// Two readers both want to write without giving up reading: each waits for the other. A single one would wait for itself.
// FIXED: they give up reading first and look again.
// expect: unsafe deadlock 25|38
// args: -DFIXED
// expect: safe
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int initialised;

static void *worker(void *arg) {
  pthread_rwlock_rdlock(&lock);
  int missing = !initialised;
#ifdef FIXED
  pthread_rwlock_unlock(&lock);
  if (missing) {
    pthread_rwlock_wrlock(&lock);
    if (!initialised)
      initialised++;
    pthread_rwlock_unlock(&lock);
  }
#else
  if (missing) {
    pthread_rwlock_wrlock(&lock);
    initialised++;
  }
  pthread_rwlock_unlock(&lock);
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(initialised == 1);
}
