// Exceptions that hold others, thrown in two threads and looked at when both have ended. BROKEN: nobody looks for the inner one.
// args: --cflags=-std=c++17
// expect: safe
// args: --cflags=-std=c++17 -DBROKEN
// expect: unsafe crash *
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

struct failure : std::runtime_error {
  int code;
  explicit failure(int number) : std::runtime_error("failure " + std::to_string(number)), code(number) {}
};

static std::exception_ptr met[2];

static void work(int me) {
  try {
    try {
      throw failure(me + 1);
    } catch (...) {
      std::throw_with_nested(std::logic_error("work"));
    }
  } catch (...) {
    met[me] = std::current_exception();
  }
}

static int code_of(std::exception_ptr outer) {
  try {
    std::rethrow_exception(outer);
  } catch (const std::logic_error &error) {
#ifdef BROKEN
    std::rethrow_if_nested(error);
#else
    try {
      std::rethrow_if_nested(error);
    } catch (const failure &inner) {
      assert(std::string(inner.what()) == "failure " + std::to_string(inner.code));
      return inner.code;
    }
#endif
  }
  return 0;
}

int main() {
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
  assert(code_of(met[0]) + code_of(met[1]) == 3);
}
