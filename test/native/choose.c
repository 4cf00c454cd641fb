// A choice is explored with every value: 4 of them without any thread.
// expect: safe traces=4
// args: -DBUG
// expect: unsafe assertion 12
#include <assert.h>
#include <mazurka.h>

int main(void) {
  int x = mz_choose(-1, 2);
  assert(x >= -1 && x <= 2);
#ifdef BUG
  assert(x * x != 4);
#endif
}
