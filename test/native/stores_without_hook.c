// Stores that a compiler tells no hook about: the result of a call that goes straight into a variable, on the heap or
// through the place that the caller has given; builtins that it writes out; a long double (clang). They are taken back like
// all others, so that an execution does not begin with what the last one has left; and a race with them is found (RACE).
// FIXED: nothing is wrong, and what is written is not there before.
// args: -DK=0
// expect: unsafe assertion 72
// args: -DK=0 -DFIXED
// expect: safe traces=2
// args: -DK=0 -DRACE
// expect: unsafe data-race 64|85
// args: -DK=1
// expect: unsafe assertion 72
// args: -DK=1 -DFIXED
// expect: safe traces=2
// args: -DK=1 -DRACE
// expect: unsafe data-race 64|51|88
// args: -DK=2
// expect: unsafe assertion 72
// args: -DK=2 -DFIXED
// expect: safe traces=2
// args: -DK=2 -DRACE
// expect: unsafe data-race 64|91
// args: -DK=3
// expect: unsafe assertion 72
// args: -DK=3 -DFIXED
// expect: safe traces=2
// args: -DK=3 -DRACE
// expect: unsafe data-race 64|94
// args: -DK=4
// expect: unsafe assertion 72
// args: -DK=4 -DFIXED
// expect: safe traces=2
// args: -DK=4 -DRACE
// expect: unsafe data-race 64|97
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct large {
  long a, b, c, d;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static div_t quotient;
static struct large whole;
static struct {
  div_t slot[2];
} * heap;
static char text[8];
static long double number;

static struct large make(long a) { return (struct large){a, 2, 3, 4}; }

static volatile char *place(void) {
  void *const places[] = {&quotient.quot, &whole.a, &heap->slot[1].quot, &text[1], &number};
  return places[K];
}

static int is_written(void) {
  return quotient.quot != 0 || whole.a != 0 || heap->slot[1].quot != 0 || text[1] != 0 || number != 0;
}

static void *looks(void *arg) {
#ifdef RACE
  *place() = 0;
#else
  pthread_mutex_lock(&lock);
  int written = is_written();
  pthread_mutex_unlock(&lock);
#ifdef FIXED
  (void)written;
#else
  assert(!written);
#endif
#endif
  return arg;
}

static void *writes(void *arg) {
  pthread_mutex_lock(&lock);
#ifndef RACE
  assert(!is_written());
#endif
  switch (K) {
  case 0:
    quotient = div(22, 7);
    break;
  case 1:
    whole = make(1);
    break;
  case 2:
    heap->slot[1] = div(22, 7);
    break;
  case 3:
    __builtin_memset(text, 1, 3);
    break;
  default:
    number = 3;
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t first, second;
  heap = calloc(1, sizeof *heap);
  pthread_create(&first, NULL, looks, NULL);
  pthread_create(&second, NULL, writes, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  free(heap);
}
