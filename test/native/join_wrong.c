// Joining what cannot be joined: a detached thread (DETACHED), one that another thread joins already (BOTH). RIGHT: each once.
// args: -DDETACHED
// expect: unsafe lock 25
// args: -DBOTH
// expect: unsafe lock 15|28
// args: -DRIGHT
// expect: safe
#include <pthread.h>

static pthread_t t[2];

static void *worker(void *arg) { return arg; }

static void *joiner(void *arg) {
  pthread_join(t[0], NULL);
  return arg;
}

int main(void) {
  pthread_create(&t[0], NULL, worker, NULL);
#ifdef BOTH
  pthread_create(&t[1], NULL, joiner, NULL);
#elif defined DETACHED
  pthread_detach(t[0]);
  pthread_join(t[0], NULL);
#endif
#ifndef DETACHED
  pthread_join(t[0], NULL);
#endif
#ifdef BOTH
  pthread_join(t[1], NULL);
#endif
}
