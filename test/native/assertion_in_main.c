// An assertion that fails without any thread.
// expect: unsafe assertion 7
#include <assert.h>

int main(int argc, char **argv) {
  (void)argv;
  assert(argc == 0);
}
