// The names of the competition: a Boolean has 2 values, a byte 256 of which 4 are left by the assumption.
// expect: safe traces=8 pruned=504
// args: -DBUG
// expect: unsafe assertion 16
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
