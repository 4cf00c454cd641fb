// Two loops that count their rounds, each with a limit of its own, given by its line. The verdict names what was cut.
// The bug needs three rounds of the second, so two are too few to find it.
// args: --unroll=unroll_line.c:27:1 --unroll=unroll_line.c:29:2
// expect: incomplete unroll_line.c:29 (2)
// args: --unroll=1 --unroll=native/unroll_line.c:29:2
// expect: incomplete unroll_line.c:27 (1)
// args: --unroll=1 --unroll=unroll_line.c:29:4
// expect: unsafe assertion 31
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *setter(void *arg) {
  first = 1;
  second = 1;
  second = 2;
  second = 3;
  return arg;
}

int main(void) {
  pthread_t t;
  int rounds = 0, more = 0;
  pthread_create(&t, NULL, setter, NULL);
  while (!first)
    rounds++;
  while (second != 3)
    more++;
  assert(more != 3);
  pthread_join(t, NULL);
  return rounds < 0;
}
