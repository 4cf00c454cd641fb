// The names of the competition: a Boolean has 2 values, a byte is taken from the range given; of those 6 the assumption
// leaves 4: 2 * 4 traces, and 2 * 2 cut off.
// args: --nondet=8..13
// expect: safe traces=8 pruned=4
// args: --nondet=8..13 -DBUG
// expect: unsafe assertion 18
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void) {
  _Bool b = __VERIFIER_nondet_bool();
  unsigned char c = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(c >= 10 && c < 14);
#ifdef BUG
  assert(!(b && c == 13));
#else
  assert(c + b <= 14);
#endif
}
