// A thread waits for a mutex that it holds itself while the others go on, and main ends the program: whoever still waits then is in
// no deadlock, but this one would never have gone on. Where only deadlocks are looked for it is none. TRY, RECURSIVE: no
// waiting.
// expect: unsafe lock 27
// args: --check=deadlocks
// expect: safe
// args: -DTRY
// expect: safe
// args: -DRECURSIVE
// expect: safe
#include <pthread.h>

static pthread_mutex_t m;

static void *worker(void *arg) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifdef RECURSIVE
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
  pthread_mutex_init(&m, &attributes);
  pthread_mutex_lock(&m);
#ifdef TRY
  if (pthread_mutex_trylock(&m) == 0)
    pthread_mutex_unlock(&m);
#else
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_detach(t);
  return 0;
}
