// /dev/zero gives zeroes, /dev/null nothing; a constraint of Annex K that is violated is a result.
// expect: safe
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int memcpy_s(void *, size_t, const void *, size_t);

int main(void) {
  char bytes[4] = {1, 1, 1, 1};
  int zero = open("/dev/zero", O_RDONLY);
  assert(zero >= 0 && read(zero, bytes, 4) == 4 && bytes[0] == 0 && bytes[3] == 0);
  close(zero);
  FILE *stream = fopen("/dev/zero", "r");
  assert(stream && getc(stream) == 0 && fread(bytes, 1, 4, stream) == 4);
  fclose(stream);
  int nothing = open("/dev/null", O_RDWR);
  assert(read(nothing, bytes, 4) == 0 && write(nothing, bytes, 4) == 4);
  strcpy(bytes, "abc");
  assert(memcpy_s(bytes, 4, "123456789", 9) != 0 && bytes[0] == 0);
}
