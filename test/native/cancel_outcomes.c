// A cancelled thread may have been done before, and may be in the middle: ENDED and CANCELLED assert that it is always the one. While
// cancellation is switched off, it goes on. ASYNCHRONOUS cancellation could end it anywhere: that is refused.
// expect: safe
// args: -DENDED
// expect: unsafe assertion *
// args: -DCANCELLED
// expect: unsafe assertion *
// args: -DASYNCHRONOUS
// expect: incomplete asynchronous cancellation
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t never;
static int saved, half;
static pthread_key_t key;
static int destroyed;

static void destroy(void *value) { destroyed += *(int *)value; }

static void *worker(void *arg) {
  int old;
  static int one = 1;
  pthread_setspecific(key, &one);
#ifdef ASYNCHRONOUS
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
#endif
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  half = 1;
  sleep(1);
  pthread_testcancel();
  half = 2;
  pthread_setcancelstate(old, NULL);
  pthread_testcancel();
  saved = 1;
  return arg;
}

static void *waits_for_ever(void *arg) {
  sem_wait(&never);
  return arg;
}

int main(void) {
  pthread_t t, u;
  void *result;
  sem_init(&never, 0, 0);
  pthread_key_create(&key, destroy);
  pthread_create(&t, NULL, worker, NULL);
  pthread_create(&u, NULL, waits_for_ever, NULL);
  pthread_cancel(t);
  pthread_cancel(u);
  pthread_join(u, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_join(t, &result);
  assert(half == 2 && (result == NULL) == saved && destroyed == 1);
#ifdef ENDED
  assert(result == NULL);
#endif
#ifdef CANCELLED
  assert(result == PTHREAD_CANCELED);
#endif
}
