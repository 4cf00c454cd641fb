// What exit() and quick_exit() call: the last one first, those of on_exit() with the status; a handler may add another.
// quick_exit() calls those of at_quick_exit() alone.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DQUICK
// expect: safe
// args: -DWRONG
// expect: unsafe assertion *
// args: -DWRONG -DQUICK
// expect: unsafe assertion *
#define _DEFAULT_SOURCE
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>

static int step, argument;

static void last(void) { assert(step++ == 3); }
static void added(void) { assert(step++ == 2); }
static void second(int status, void *given) {
  assert(step++ == 1 && status == 5 && given == &argument);
  atexit(added);
}
static void first(void) {
#ifdef WRONG
  step++;
#endif
  assert(step++ == 0);
}
static void quick_second(void) { assert(step++ == 1); }
static void unused(void) { assert(!"of the other kind"); }

static void *ends(void *arg) {
#ifdef QUICK
  quick_exit(5);
#else
  exit(5);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  mz_choose(0, 1); // handlers are taken back with the execution
#ifdef QUICK
  assert(atexit(unused) == 0);
  assert(at_quick_exit(quick_second) == 0 && at_quick_exit(first) == 0);
#else
  assert(at_quick_exit(unused) == 0);
  assert(atexit(last) == 0 && on_exit(second, &argument) == 0 && atexit(first) == 0);
#endif
  pthread_create(&t, NULL, ends, NULL);
  return pthread_join(t, NULL);
}
