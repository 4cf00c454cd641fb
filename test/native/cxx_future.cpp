// promise and future, async, an exception that travels from one thread to another. BUG=1: the promise is broken, and the
// exception that says so is not caught. BUG=2: nobody keeps it.
// args: --cflags=-std=c++17
// expect: safe
// args: --cflags=-std=c++17 --cc=clang
// expect: safe
// args: --cflags=-std=c++17 -DBUG=1
// expect: unsafe crash *
// args: --cflags=-std=c++17 -DBUG=2
// expect: unsafe livelock|deadlock *
#include <cassert>
#include <cstring>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
#if BUG == 1
  std::thread t([p = std::move(promise)] {});
#elif BUG == 2
  std::thread t([] {});
#else
  std::thread t([&] { promise.set_value(3); });
#endif
  assert(future.get() == 3);
  t.join();
  auto later = std::async(std::launch::async, []() -> int { throw std::runtime_error("in vain"); });
  try {
    later.get();
    assert(false);
  } catch (const std::runtime_error &e) {
    assert(std::strcmp(e.what(), "in vain") == 0);
  }
}
