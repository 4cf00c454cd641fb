// expect: unsafe assertion 30
// args: -DONCE
// expect: unsafe assertion 30
// args: -DUNASKED
// expect: safe
// A loop that waits and sleeps in between. That nothing else comes of a round does not mean that it can be left out: it is later
// afterwards, and somebody may ask how late it is. Where nobody does, such a loop waits as any other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int busy;

static void *work(void *argument) { atomic_store(&busy, 1); atomic_store(&busy, 0); return argument; }

static void wait_for_it(void)
{
#ifdef ONCE
  if (atomic_load(&busy)) sleep(10);
#else
  while (atomic_load(&busy)) sleep(10);
#endif
}

static void look(time_t begun)
{
#ifndef UNASKED
  assert(time(NULL) - begun < 5);
#endif
}

int main(void)
{
  pthread_t worker;
#ifdef UNASKED
  time_t begun = 0;
#else
  time_t begun = time(NULL);
#endif
  pthread_create(&worker, NULL, work, NULL);
  wait_for_it();
  look(begun);
  pthread_join(worker, NULL);
  return 0;
}
