// Rounds that take back what they have changed: a look under a spin lock, which is let go again; a try-lock of a reader/writer lock of
// one counter, which fails. They are not made, unless somebody sees what they change for a moment.
// args: -DLOOKS
// expect: safe traces=1
// args: -DLOOKS=2
// expect: safe traces=2
// args: -DTRIES
// expect: safe traces=10 observations=76
// args: -DSEEN
// expect: unsafe assertion 96
// args: -DSEEN -DNEVER
// expect: unsafe livelock *
// args: -DNEVER
// expect: unsafe livelock *
// args: -DRACES
// expect: unsafe data-race 68|59
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if defined TRIES
/* Two threads read under the lock, and then write under it: two tickets of readers, all of them for a writer. */
enum { ALL = 1 << 20 };
static atomic_int tickets = ALL;
static int data;

static int try(int wanted, int all)
{
  int left = atomic_fetch_sub(&tickets, wanted);
  if (all ? left == ALL : left > 0)
    return 1;
  atomic_fetch_add(&tickets, wanted);
  return 0;
}

static void *worker(void *argument)
{
  while (!try(1, 0)) {
  }
  int seen = data;
  atomic_fetch_add(&tickets, 1);
  while (!try(ALL, 1)) {
  }
  data = seen + 1;
  atomic_fetch_add(&tickets, ALL);
  return argument;
}

static void *other(void *argument) { return worker(argument); }
#elif defined LOOKS || defined RACES || (defined NEVER && !defined SEEN)
static atomic_int spin, ready;
static int plain;

static void *worker(void *argument)
{
  for (int found = 0; !found;) {
    while (atomic_exchange(&spin, 1)) {
    }
    found = plain >= 0 && ready;
    atomic_store(&spin, 0);
  }
  return argument;
}

static void *other(void *argument)
{
#ifdef RACES
  plain = 1;
#endif
  while (atomic_exchange(&spin, 1)) {
  }
#ifndef NEVER
  ready = 1;
#endif
  atomic_store(&spin, 0);
  return argument;
}
#else
static atomic_int flag, stop;

static void *worker(void *argument)
{
  do {
    atomic_fetch_add(&flag, 1);
    atomic_fetch_sub(&flag, 1);
  } while (!stop);
  return argument;
}

static void *other(void *argument)
{
#ifdef NEVER
  while (!stop) {
  }
#else
  assert(flag == 0);
  stop = 1;
#endif
  return argument;
}
#endif

int main(void)
{
  pthread_t t[3];
  int n = 0;
#if defined LOOKS && LOOKS == 2
  pthread_create(&t[n++], NULL, worker, NULL);
#endif
  pthread_create(&t[n++], NULL, worker, NULL);
  pthread_create(&t[n++], NULL, other, NULL);
  while (n > 0)
    pthread_join(t[--n], NULL);
  return 0;
}
