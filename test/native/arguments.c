// Arguments of the program stand behind "--".
// expect: safe
// args: -- one two
// expect: unsafe assertion 15
// args: -DWANTED=3 -- one two
// expect: safe
#include <assert.h>
#include <string.h>

#ifndef WANTED
#define WANTED 1
#endif

int main(int argc, char **argv) {
  assert(argc == WANTED);
  assert(argv[argc] == 0);
  if (argc == 3)
    assert(strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two") == 0);
}
