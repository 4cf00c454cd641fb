// Inputs are explored with every value, like choices: 3 × 2 valuations, and for each the two orders of the threads
// where they meet.
// expect: safe traces=6
// args: -DMEET
// expect: safe traces=9
// args: -DMEET -DBUG
// expect: unsafe assertion 43
// An input is read once, by whomever.
// args: -DTWICE
// expect: unsafe choice 33
// args: -DTWICE_LATE
// expect: unsafe choice 26
// What has no value, and what has no name.
// args: -DEMPTY
// expect: unsafe choice 36
// args: -DNAMELESS
// expect: unsafe choice 39
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cells[3];
static void *count(void *cell) {
#ifdef TWICE_LATE
  mz_input_int("x", 0, 2);
#endif
  return (void *)(long)(atomic_fetch_add((atomic_int *)cell, 1) + 1);
}
int main(void) {
  int x = mz_input_int("x", 0, 2), y = mz_input_int("y-1.b", 0, 1);
#ifdef TWICE
  mz_input_int("x", 0, 2);
#endif
#ifdef EMPTY
  mz_input_int("z", 1, 0);
#endif
#ifdef NAMELESS
  mz_input_int("1 z", 0, 1);
#endif
  pthread_t t;
#ifdef BUG
  assert(x != 2 || y != 1);
#endif
  pthread_create(&t, 0, count, &cells[x]);
#ifdef MEET
  if (x != 2)
    count(&cells[x == 1 ? y : x]);
#endif
  pthread_join(t, 0);
  return 0;
}
