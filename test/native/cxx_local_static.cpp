// A local static is constructed once, and whoever comes meanwhile waits; if its constructor throws, the next one tries
// again. BUG: the same by hand, without anything that orders it.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DBUG
// expect: unsafe data-race|memory *
#include <cassert>
#include <thread>

static int tries;

struct Config {
  int value;
  Config() {
    if (tries++ == 0)
      throw 1;
    value = 42;
  }
};

static Config *instance() {
#ifdef BUG
  static Config *c;
  try {
    if (!c)
      c = new Config;
  } catch (int) {
  }
  return c;
#else
  static Config c;
  return &c;
#endif
}

static int get() {
  try {
    return instance()->value;
  } catch (int) {
    return 0;
  }
}

int main() {
  int a, b;
  std::thread t([&] { a = get(); });
  b = get();
  t.join();
  assert(a + b == 42); // one of the two had the exception
  assert(get() == 42 && tries == 2);
}
