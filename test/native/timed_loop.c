// A loop that waits again when the time is up waits for what it looks at: finite, and a livelock (BUG) if that never comes.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DBUG
// expect: unsafe livelock|deadlock *
// args: -DATOMIC
// expect: safe
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
#ifdef ATOMIC // then looking is an event, with the mutex held
static _Atomic int ready;
#else
static int ready;
#endif

static void *waiter(void *arg) {
  struct timespec soon = {.tv_sec = 1};
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_timedwait(&changed, &mutex, &soon);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
#ifndef BUG
  ready = 1;
#endif
  pthread_cond_signal(&changed); // one of them has to find out by itself
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
