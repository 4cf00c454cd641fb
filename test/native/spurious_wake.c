// A condition wait may return without a signal. Who looks again after it is safe from that (the default), who does not
// (BUG) goes on too early: found with --spurious only. The wait without a signal to come is a deadlock all the same.
// expect: safe
// args: --spurious
// expect: safe
// args: -DBUG
// expect: safe
// args: --spurious -DBUG
// expect: unsafe assertion 39
// args: --spurious -DBUG -DTIMED
// expect: unsafe assertion 39
// args: --spurious -DBUG --preemptions=2
// expect: unsafe assertion 39
// args: --spurious -DSILENT
// expect: unsafe deadlock *
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg) {
  pthread_mutex_lock(&mutex);
#ifdef TIMED
  struct timespec soon = {.tv_sec = 1};
  if (!ready && pthread_cond_timedwait(&changed, &mutex, &soon) != 0) {
    pthread_mutex_unlock(&mutex);
    return arg;
  }
#elif defined BUG
  if (!ready)
    pthread_cond_wait(&changed, &mutex);
#else
  while (!ready)
    pthread_cond_wait(&changed, &mutex);
#endif
  assert(ready);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
#ifndef SILENT
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
#endif
  pthread_join(t, NULL);
}
