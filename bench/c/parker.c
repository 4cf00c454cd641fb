// Parking a thread with a permit, as in a Java virtual machine: unpark gives the permit, park takes it or waits for it. One
// thread parks until it has seen the last of N messages. BUG: it does not look again under the lock, and a wake-up is lost.
// Traces: no formula.
// args: -DN=1
// expect: safe
// args: -DN=2
// expect: safe
// args: -DN=1 -DBUG
// expect: unsafe deadlock 30|63
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static atomic_int permit, message;

static void park(void) {
  if (atomic_exchange(&permit, 0) > 0)
    return;
  pthread_mutex_lock(&lock);
#ifdef BUG
  if (1)
#else
  if (permit == 0)
#endif
    pthread_cond_wait(&given, &lock);
  permit = 0;
  pthread_mutex_unlock(&lock);
}

static void unpark(void) {
  pthread_mutex_lock(&lock);
  int before = permit;
  permit = 1;
  pthread_mutex_unlock(&lock);
  if (before == 0)
    pthread_cond_signal(&given);
}

static void *parks(void *arg) {
  while (message < N)
    park();
  return arg;
}

static void *unparks(void *arg) {
  for (int i = 1; i <= N; i++) {
    message = i;
    unpark();
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, parks, NULL);
  pthread_create(&t[1], NULL, unparks, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(message == N);
}
