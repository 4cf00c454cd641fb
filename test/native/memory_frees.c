// free() of what malloc did not return: the middle of a block, a local variable, a global one; and of what is free already.
// expect: safe traces=1
// args: -DKIND=1
// expect: unsafe memory 31
// args: -DKIND=2
// expect: unsafe memory 33
// args: -DKIND=2 --cc=clang --cflags=-O2
// expect: unsafe memory 33
// args: -DKIND=3
// expect: unsafe memory 35
// args: -DKIND=4
// expect: unsafe memory 37
// args: -DKIND=4 --cflags=-O2
// expect: unsafe memory 37
// args: -DKIND=5
// expect: unsafe memory 39
// args: -DKIND=6
// expect: unsafe memory 41
#include <stdlib.h>

struct pair {
  long first, second;
};
static long global[8];
static void *volatile p; // so that no compiler knows what it frees

int main(void) {
  struct pair local[4], *block = calloc(4, sizeof *block);
  (void)local;
#if KIND == 1
  p = &block[1], free(p);
#elif KIND == 2
  p = &local[1], free(p);
#elif KIND == 3
  p = &global[2], free(p);
#elif KIND == 4
  p = block, free(p), free(p);
#elif KIND == 5
  p = block, free(p), p = realloc(p, 100);
#elif KIND == 6
  p = (char *)block + 8, p = realloc(p, 100);
#else
  p = realloc(block, 100), free(p), free(NULL);
#endif
  return 0;
}
