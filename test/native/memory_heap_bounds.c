// Over the ends of heap blocks: by an index, by string functions and copies, a little and a lot, and before the beginning.
// What a block is rounded up to does not belong to it, and neither does what lies between two blocks.
// expect: safe traces=1
// args: -DKIND=1
// expect: unsafe memory 48
// args: -DKIND=1 --cflags=-O2
// expect: unsafe memory 48
// args: -DKIND=1 --cc=clang
// expect: unsafe memory 48
// args: -DKIND=2
// expect: unsafe memory 50
// args: -DKIND=3
// expect: unsafe memory 52
// args: -DKIND=3 --cc=clang --cflags=-O2
// expect: unsafe memory 52
// args: -DKIND=4
// expect: unsafe memory 54
// args: -DKIND=5
// expect: unsafe memory 56
// args: -DKIND=6
// expect: unsafe memory 58
// args: -DKIND=7
// expect: unsafe memory 60
// args: -DKIND=8
// expect: unsafe memory 62
// args: -DKIND=9
// expect: unsafe memory 64
// args: -DKIND=10
// expect: unsafe memory 66
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *volatile numbers; // volatile: so that no compiler looks through the pointers
static char *volatile text;
static volatile int one = 1;

int main(void) {
  numbers = malloc(10 * sizeof *numbers);
  text = malloc(13);
  char *volatile other = malloc(64);
  memset(other, 'x', 64);
  memset(text, 'a', 13);
  for (int i = 0; i < 10; i++)
    numbers[i] = i;
  text[12] = 0;
#if KIND == 1
  numbers[10 * one] = 1; // into what the block is rounded up to
#elif KIND == 2
  return numbers[18 * one]; // far behind, before the next block
#elif KIND == 3
  return numbers[-1 * one]; // before it
#elif KIND == 4
  text[12] = 'a', one = (int)strlen(text); // no end
#elif KIND == 5
  memcpy(text, other, 14);
#elif KIND == 6
  strcpy(text, "thirteen bytes");
#elif KIND == 7
  snprintf(text, 20, "%d and so on", 12345);
#elif KIND == 8
  return memcmp(text, other, 14) == 0;
#elif KIND == 9
  strcat(text, "b");
#elif KIND == 10
  memset(numbers, 0, 41);
#else
  strcpy(text, "twelve bytes");
  memcpy(other, text, 13);
  return strcmp(other, text);
#endif
}
// compilers: gcc -O2 leaves out an access whose value nobody uses
