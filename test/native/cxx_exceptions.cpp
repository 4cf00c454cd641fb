// Exceptions that are on their way, or caught, in two threads at once: which ones a thread has is its own affair, whoever
// runs in between. BUG=1: nobody catches it. BUG=2: it leaves a function that promises not to throw.
// args: --cflags=-std=c++17
// expect: safe
// args: --cflags=-std=c++17 --cc=clang
// expect: safe
// args: --cflags=-std=c++17 --cflags=-O2
// expect: safe
// args: --cflags=-std=c++17 -DBUG=1
// expect: unsafe crash 33
// args: --cflags=-std=c++17 -DBUG=1 --cc=clang
// expect: unsafe crash 33
// args: --cflags=-std=c++17 -DBUG=2
// expect: unsafe crash 33
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static std::atomic<int> turn;

struct Leaves {
  ~Leaves() {
    turn++; // others run while the exception is on its way
    assert(std::uncaught_exceptions() == 1);
  }
};

static void thrower(int n) {
  Leaves l;
  throw std::out_of_range("number " + std::to_string(n));
}

#if BUG == 2
static void work(int n) noexcept {
#else
static void work(int n) {
#endif
#if BUG
  thrower(n);
#endif
  try {
    try {
      thrower(n);
    } catch (const std::logic_error &e) {
      turn++; // … and while it is caught
      assert(e.what() == "number " + std::to_string(n));
      try {
        throw n;
      } catch (int i) {
        turn++;
        assert(i == n);
      }
      throw;
    }
  } catch (const std::exception &e) {
    turn++;
    assert(e.what() == "number " + std::to_string(n));
    assert(std::uncaught_exceptions() == 0);
  }
  assert(!std::current_exception());
}

int main() {
  std::thread t(work, 1);
#if !BUG
  work(2);
#endif
  t.join();
}
