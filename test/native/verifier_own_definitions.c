// Of the names of the verification competition some mean what the checker says, whoever defines them; the others are kept.
// expect: safe
// args: -DCASE=1
// expect: unsafe assertion *
#include <assert.h>

int __VERIFIER_nondet_int(void) { return 7; }
void __VERIFIER_assume(int holds) { (void)holds; }
void assume_abort_if_not(int holds) {
  if (!holds)
    assert(0);
}
void reach_error(void) {}
void __VERIFIER_assert(int holds) { (void)holds; }
void __goblint_check(int holds) { (void)holds; }

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  __VERIFIER_assume(n == 1);
  assume_abort_if_not(m == 0);
  assert(n == 1 && m == 0);
  __VERIFIER_assert(0);
  __goblint_check(0);
#ifdef CASE
  reach_error();
#endif
  return 0;
}
