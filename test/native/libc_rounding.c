// How numbers are rounded is each thread's own business, inherited from the one that creates it. WRONG: one relies on the other's.
// args: --cflags=-frounding-math --ldflags=-lm
// expect: safe full=yes
// args: --cflags=-frounding-math --ldflags=-lm -DWRONG
// expect: unsafe assertion 31
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turns;
static volatile double three = 3.0;

static double third(void) { return 1.0 / three; }

static void *up(void *arg) {
  double before = third();
  fesetround(FE_UPWARD);
  turns++;
  double after = third();
  turns++;
  assert(after > before && fegetround() == FE_UPWARD);
  return arg;
}

static void *other(void *arg) {
  double before = third();
  turns++;
  assert(third() == before && fegetround() == FE_DOWNWARD);
#ifdef WRONG
  assert(turns != 3 || third() != before);
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  double near = third();
  fesetround(FE_DOWNWARD);
  pthread_create(&t[0], 0, up, 0);
  pthread_create(&t[1], 0, other, 0);
  turns++;
  assert(fegetround() == FE_DOWNWARD && third() <= near);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(fegetround() == FE_DOWNWARD);
}
