// std::call_once: if the function throws, the next one tries again. BUG: two flags for one thing.
// args: --cflags=-std=c++17
// expect: safe
// args: --cflags=-std=c++17 --cc=clang
// expect: safe
// args: --cflags=-std=c++17 -DBUG
// expect: unsafe data-race 14
#include <cassert>
#include <mutex>
#include <thread>
static std::once_flag flags[2];
static int tries, done;
static void initialise() {
  if (tries++ == 0)
    throw 1;
  done++;
}

static int get(int number) {
  try {
    std::call_once(flags[number], initialise);
  } catch (int) {
    return 0;
  }
  return done;
}

int main() {
  int a = 0, b = 0;
#ifdef BUG
  std::thread t([&] { a = get(1); });
#else
  std::thread t([&] { a = get(0); });
#endif
  b = get(0);
  t.join();
  assert(a + b == 1 && done == 1);
}
