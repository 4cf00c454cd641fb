// Rounds that come to nothing are not made, but what happens in them is found: a failed assertion, a data race, another way out. And one
// that has read two values of one variable, of which the first is old, is no livelock.
// args: -DTWICE
// expect: safe traces=2
// args: -DASSERTS
// expect: unsafe assertion 52
// args: -DRACES
// expect: unsafe data-race 24|40
// args: -DRACES --check=assertions
// expect: safe
// args: -DLEAVES
// expect: unsafe assertion 49
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int plain;
static int data;

static void *write(void *argument)
{
#ifdef RACES
  plain = 1;
#endif
  x = 1;
#if defined ASSERTS || defined LEAVES
  y = 1;
#endif
#ifdef LEAVES
  x = 0;
#endif
  return argument;
}

static void wait(void)
{
#ifdef RACES
  while (!x)
    if (plain == 7)
      data++;
#elif defined TWICE
  int a, b;
  do {
    a = x;
    b = x;
  } while (a != b);
#elif defined LEAVES
  while (!(x == 1 && y == 1)) assert(!(x == 0 && y == 1));
#elif defined ASSERTS
  for (int a, b; (a = x, b = y, a + b < 2);)
    assert(a >= b);
#endif
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, NULL, write, NULL);
  wait();
  pthread_join(thread, NULL);
}
