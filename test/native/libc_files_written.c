// Writing a file could not be taken back: the search ends, and says why.
// expect: incomplete for writing
#include <stdio.h>

int main(void) {
  FILE *file = fopen("result.txt", "w");
  return !file || fputs("done", file) < 0;
}
