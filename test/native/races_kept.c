// What races is read as often as it is written down, where races are no errors: without an -O of the user's the compiler merges,
// moves and drops nothing. With one it is its program that is checked, which reads x once; the verdict says so.
// DEAD: a store that another one follows; a read whose value nobody wants keeps its place.
// args: --races=ignore
// expect: unsafe assertion 35
// args: --races=report
// expect: unsafe assertion 35
// args: --check=assertions
// expect: unsafe assertion 35
// args: --races=ignore -O1
// expect: safe
// args: --races=ignore -DDEAD
// expect: unsafe assertion 29
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *writer(void *arg) {
  x = 3;
#ifdef DEAD
  x = 4;
#endif
  return arg;
}

#ifdef DEAD
static void look(void) {
  assert(x != 3);
}
#else
static void look(void) {
  int l = x;
  y = l;
  assert(y == x);
}
#endif

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  look();
  return pthread_join(t, NULL);
}
// compilers: what is written and never read is dropped by who is asked to optimise
