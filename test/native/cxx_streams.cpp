// The header does no harm; using a stream is refused.
// args: -DUSED
// expect: error 9 the program calls 'std::cout'
// args:
// expect: safe
#include <iostream>
int main() {
#ifdef USED
  std::cout << 1;
#endif
}
