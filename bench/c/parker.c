// Parking a thread with a permit, as in a Java virtual machine (bug 6822370 there, a lost wake-up): unpark gives the permit,
// park takes it or sleeps until it is given. The mutex is made of two flags; who finds it taken gives up. One thread parks
// until the other is done, N times at most; the other unparks it, says so, and unparks it again. BUG: the permit is not looked
// at again under the mutex, and the sleeper is not woken.
// Traces: as published for N = 8 … 16, see doc/reproduction.md.
// args: -DN=2
// expect: safe traces=96 observations=87
// args: -DN=4
// expect: safe traces=517 observations=459
// args: -DN=1 -DBUG
// expect: unsafe assertion 60
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
enum { UNPARKING, PARKING };
static atomic_int wants[2], permit, asleep, done, finished;

static void give_up_unless(int condition) {
  if (!condition)
    pthread_exit(NULL);
}

static int try_to_enter(int me) {
  wants[me] = 1;
  if (wants[1 - me] == 0)
    return 1;
  wants[me] = 0;
  return 0;
}

static void enter(int me) {
  wants[me] = 1;
  give_up_unless(wants[1 - me] == 0);
}

static void leave(int me) { wants[me] = 0; }

static int take_permit(void) {
  if (permit == 0)
    return 0;
  permit = 0;
  return 1;
}

static void park(void) {
  if (take_permit() || !try_to_enter(PARKING))
    return;
#ifndef BUG
  if (take_permit()) {
    leave(PARKING);
    return;
  }
#endif
  asleep = 1;
  leave(PARKING);
  assert(!finished || !asleep); // nobody would wake it any more
  give_up_unless(!asleep);
  enter(PARKING);
  permit = 0;
  leave(PARKING);
}

static void unpark(void) {
  enter(UNPARKING);
  int before = permit;
  permit = 1;
  leave(UNPARKING);
  if (before == 0)
    asleep = 0;
}

static void *parks(void *arg) {
  for (int i = 0; i < N && !done; i++)
    park();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, parks, NULL);
  unpark();
  done = 1;
  unpark();
  finished = 1;
  pthread_join(t, NULL);
}
