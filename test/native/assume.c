// An assumption that does not hold ends the execution without an error: one of the four values of the choice is left out.
// expect: safe traces=3 pruned=1
// args: -DBUG
// expect: unsafe assertion 14
#include <mazurka.h>

int main(void) {
  int x = mz_choose(0, 3);
#ifdef BUG
  mz_assume(x == 2);
#else
  mz_assume(x != 2);
#endif
  mz_assert(x != 2);
}
