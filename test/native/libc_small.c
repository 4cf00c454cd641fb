// Functions and variables of the C library that need no model.
// args: --ldflags=-lm
// expect: safe
// args: --ldflags=-lm --cc=clang
// expect: safe
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

extern char **environ;

int main(int argc, char **argv) {
  int entries = 0;
  while (environ[entries])
    entries++;
  (void)argv;
  assert(entries >= 0 && ffs(8 * argc) == 4);
  assert(exp(argc - 1) == 1.0);
}
