// The room that the compile step puts behind variables changes nothing about them, however they are defined and with whatever
// options: what they hold, and that the last byte is theirs.
// expect: safe traces=1
// args: --cflags=-O0
// expect: safe traces=1
// args: --cflags='-O2 -fno-semantic-interposition'
// expect: safe traces=1
// args: --cflags='-fdata-sections -fno-zero-initialized-in-bss'
// expect: safe traces=1
// args: --cflags=-fcommon
// expect: safe traces=1
// args: --cc=clang --cflags=-O0
// expect: safe traces=1
// args: --cc=clang --cflags='-O2 -fno-semantic-interposition'
// expect: safe traces=1
// args: --cc=clang --cflags='-fdata-sections -fno-zero-initialized-in-bss'
// expect: safe traces=1
// args: -DWRONG
// expect: unsafe memory 50
#include <assert.h>
#include <string.h>

__attribute__((visibility("hidden"))) int hidden_set[10] = {1, 2, 3};
__attribute__((visibility("hidden"))) char hidden_text[] = "abc def ghi jkl";
int plain_set[10] = {4, 5, 6};
int other[3];
long double wide[3] = {1.0L, 2.0L, 3.0L};
_Complex double complex_set[2] = {1.0, 2.0};
struct {
  char a;
  double d;
  short s[3];
  char *p;
} mixed[2] = {{'a', 1.5, {1, 2, 3}, hidden_text}, {'b', 2.5, {4, 5, 6}, 0}};
__attribute__((section("of_its_own"))) int first[4] = {1}; // one array, as far as the program is concerned
__attribute__((section("of_its_own"))) int second[4] = {2};
extern int __start_of_its_own[], __stop_of_its_own[];
volatile int one = 1;

int main(void) {
  assert(hidden_set[one] == 2 && hidden_set[2 * one] == 3 && hidden_set[9] == 0);
  assert(strcmp(hidden_text, "abc def ghi jkl") == 0);
  assert(plain_set[one] == 5 && plain_set[0] == 4);
  assert(wide[one] == 2.0L && wide[2 * one] == 3.0L);
  assert(__real__ complex_set[one] == 2.0);
  assert(mixed[one].s[2] == 6 && mixed[0].p[4 * one] == 'd' && mixed[one].d == 2.5);
  assert(__stop_of_its_own - __start_of_its_own == 8 && __start_of_its_own[4 * one] + __start_of_its_own[0] == 3);
  other[2] = hidden_set[one], hidden_text[15 * one] = 0;
#ifdef WRONG
  plain_set[10 * one] = 1;
#endif
}
