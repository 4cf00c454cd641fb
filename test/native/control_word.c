// How the processor calculates is each thread's own business, also where it is set without a function of the library: rounding,
// what is flushed to zero, which exceptions have come (MXCSR), the control word of the older unit. New threads inherit it.
// WRONG: one relies on the other's.
// args: --ldflags=-lm
// expect: safe full=yes
// args: --ldflags=-lm -DIN_ASSEMBLY
// expect: safe full=yes
// args: --ldflags=-lm --cc=clang
// expect: safe full=yes
// args: --ldflags=-lm -DWRONG
// expect: unsafe assertion 44
#include <assert.h>
#include <pthread.h>
#include <xmmintrin.h>

enum { ROUNDING = 0x6000, DOWN = 0x2000, DIVIDED_BY_ZERO = 4 };
static int turns;
static volatile double zero, one = 1;

static void turn(void) {
#ifdef IN_ASSEMBLY
  __asm__ volatile("lock; incl %0" : "+m"(turns) : : "cc", "memory");
#else
  __atomic_fetch_add(&turns, 1, __ATOMIC_SEQ_CST);
#endif
}

static unsigned short older_unit(void) {
  unsigned short word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}

static void *other(void *arg) {
  unsigned short before = older_unit();
  assert((_mm_getcsr() & ROUNDING) == 0);
  turn();
  assert((_mm_getcsr() & ROUNDING) == 0);
  double infinity = one / zero;
  turn();
  assert((_mm_getcsr() & DIVIDED_BY_ZERO) != 0 && infinity > 1);
  assert(older_unit() == before);
#ifdef WRONG
  assert(_mm_getcsr() & DOWN);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  unsigned short word = 0x0f7f;
  pthread_create(&t, 0, other, 0);
  _mm_setcsr((_mm_getcsr() & ~ROUNDING) | DOWN);
  turn();
  __asm__ volatile("fldcw %0" : : "m"(word));
  turn();
  assert((_mm_getcsr() & ROUNDING) == DOWN && (_mm_getcsr() & DIVIDED_BY_ZERO) == 0 && older_unit() == word);
  pthread_join(t, 0);
  assert((_mm_getcsr() & ROUNDING) == DOWN && older_unit() == word);
  return 0;
}
