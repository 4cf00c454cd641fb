// The same in C++: a name is enough, in a namespace or a class or extern "C"; neither its parameters nor (if
// there is only one) where it is from need be given.
// args: --entry=counters::add,counters::add,twice --entry-finally=counters::total::check
// expect: safe
// args: --entry=add,_ZN8counters3addEv --entry-finally=counters::total::check
// expect: unsafe assertion 24
#include <atomic>
#include <cassert>

namespace counters {

static std::atomic<int> count;

void add() {
  count++;
}

struct total {
  static void check();
};

// two threads, or three
void total::check() {
  assert(count == 4);
}

} // namespace counters

extern "C" void *twice(void *arg) {
  counters::add();
  counters::add();
  return arg;
}

int main() {
  assert(false); // not called
}
