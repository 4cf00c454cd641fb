// To ask whether a thread has ended has both answers; waiting for its end for a time, too. What the thread did is seen only
// after a join that succeeded (RACE: also after one that did not). A loop that tries again and again comes to an end.
// expect: safe
// args: -DALWAYS=0
// expect: unsafe assertion 63
// args: -DNEVER=0
// expect: unsafe assertion 65
// args: -DALWAYS=0 -DTIMED
// expect: unsafe assertion 63
// args: -DNEVER=0 -DTIMED
// expect: unsafe assertion 65
// args: -DNEVER=0 -DCLOCK
// expect: unsafe assertion 65
// args: -DRACE
// expect: unsafe data-race *
// args: -DLOOP
// expect: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
#ifndef ALWAYS
#define ALWAYS 1
#endif
#ifndef NEVER
#define NEVER 1
#endif

int done; // not static: a compiler must not know which values it has

static void *worker(void *arg) {
  done = 1;
  return arg;
}

static int join(pthread_t t, void **result) {
#if defined TIMED || defined CLOCK
  struct timespec soon;
  clock_gettime(CLOCK_MONOTONIC, &soon);
  soon.tv_sec++;
#endif
#ifdef TIMED
  int error = pthread_timedjoin_np(t, result, &soon);
  return error == ETIMEDOUT ? EBUSY : error;
#elif defined CLOCK
  int error = pthread_clockjoin_np(t, result, CLOCK_MONOTONIC, &soon);
  return error == ETIMEDOUT ? EBUSY : error;
#else
  return pthread_tryjoin_np(t, result);
#endif
}

int main(void) {
  pthread_t t;
  void *result = NULL;
  pthread_create(&t, NULL, worker, &t);
  int error = join(t, &result);
#ifdef LOOP
  while (error == EBUSY)
    error = join(t, &result);
#endif
  assert(error == 0 || ALWAYS);
  if (error == 0)
    assert(result == &t && done == 1 && NEVER);
#ifdef RACE
  assert(done >= 0);
#endif
  if (error != 0)
    pthread_join(t, NULL);
  assert(done == 1);
}
