// Attributes are what they were set to, and a thread that was created detached is not joined.
// expect: safe traces=1
// args: -DBUG
// expect: unsafe lock 46
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *worker(void *arg) { return arg; }

int main(void) {
  pthread_attr_t attributes;
  size_t size;
  int value;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_attr_setguardsize(&attributes, 8192);
  assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 1 << 20);
  assert(pthread_attr_getguardsize(&attributes, &size) == 0 && size == 8192);
  assert(pthread_attr_getdetachstate(&attributes, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setdetachstate(&attributes, 17) == EINVAL);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_getdetachstate(&attributes, &value) == 0 && value == PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);

  pthread_mutexattr_t of_mutex;
  pthread_mutexattr_init(&of_mutex);
  pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_setrobust(&of_mutex, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setprotocol(&of_mutex, PTHREAD_PRIO_INHERIT);
  assert(pthread_mutexattr_gettype(&of_mutex, &value) == 0 && value == PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutexattr_getrobust(&of_mutex, &value) == 0 && value == PTHREAD_MUTEX_ROBUST);
  assert(pthread_mutexattr_getprotocol(&of_mutex, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
  assert(pthread_mutexattr_getpshared(&of_mutex, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);

  pthread_condattr_t of_condition;
  pthread_condattr_init(&of_condition);
  pthread_condattr_setclock(&of_condition, CLOCK_MONOTONIC);
  assert(pthread_condattr_getclock(&of_condition, &value) == 0 && value == CLOCK_MONOTONIC);

  pthread_t t;
  pthread_create(&t, &attributes, worker, NULL);
#ifdef BUG
  pthread_join(t, NULL);
#endif
}
