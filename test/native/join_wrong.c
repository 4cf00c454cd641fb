// Joining what cannot be joined: a detached thread (DETACHED), one that another thread joins already (BOTH). Detaching one that is
// joined (LATE: that was joined; THIRD: by another thread, in any order). RIGHT: each once.
// args: -DDETACHED
// expect: unsafe lock 33
// args: -DBOTH
// expect: unsafe lock 22|36
// args: -DTHIRD
// expect: unsafe lock 20|36
// args: -DLATE
// expect: unsafe lock 39
// args: -DRIGHT
// expect: safe
#include <pthread.h>

static pthread_t t[2];

static void *worker(void *arg) { return arg; }
static void *other(void *arg) {
#ifdef THIRD
  pthread_detach(t[0]);
#else
  pthread_join(t[0], NULL);
#endif
  return arg;
}

int main(void) {
  pthread_create(&t[0], NULL, worker, NULL);
#if defined BOTH || defined THIRD
  pthread_create(&t[1], NULL, other, NULL);
#elif defined DETACHED
  pthread_detach(t[0]);
  pthread_join(t[0], NULL);
#endif
#ifndef DETACHED
  pthread_join(t[0], NULL);
#endif
#ifdef LATE
  pthread_detach(t[0]);
#endif
#if defined BOTH || defined THIRD
  pthread_join(t[1], NULL);
#endif
}
