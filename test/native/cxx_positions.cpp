// What happens in a header of the C++ library is told where the program calls it: the lines are those of this file.
// expect: unsafe data-race 23|38
// args: --cc=clang
// expect: unsafe data-race 23|38
// args: --cflags=-O0
// expect: unsafe data-race 23|38
// args: -DFREED --cflags=-O0
// expect: unsafe memory 32
// args: -DWAITS --cflags=-std=c++20
// expect: unsafe deadlock 21|36|39
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> numbers{1, 2, 3};
static std::mutex a, b;

static void first() {
#ifdef WAITS
  std::lock_guard<std::mutex> left(a);
  std::lock_guard<std::mutex> right(b);
#endif
  numbers.push_back(4);
}

int main() {
  std::thread t(first);
#ifdef FREED
  t.join();
  auto old = numbers.begin();
  numbers.resize(100);
  return *old;
#endif
#ifdef WAITS
  std::lock_guard<std::mutex> right(b);
  std::lock_guard<std::mutex> left(a);
#endif
  int got = numbers.back();
  t.join();
  return got;
}
