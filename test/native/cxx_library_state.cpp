// What the C++ library keeps does not survive an execution either: each of 10,000 finds it as at the beginning and ends in the
// middle of handling exceptions, with objects that were never destroyed.
// expect: safe traces=10000 refined=5000
// args: --cc=clang -DROUNDS=500
// expect: safe traces=1000
// args: -DWRONG
// expect: unsafe assertion 57
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <exception>
#include <map>
#include <mazurka.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#ifndef ROUNDS
#define ROUNDS 5000
#endif

static std::map<std::string, int> known; // constructed once, before all executions
static std::once_flag once;
static std::atomic<int> order;
static int constructed;
static thread_local std::vector<int> own;

struct Counted {
  Counted() { constructed++; }
};

static Counted &local() {
  static Counted object;
  return object;
}

static void see_and_change(int round) {
  assert(std::uncaught_exceptions() == 0 && !std::current_exception());
  assert(known.empty() && own.empty() && constructed == 0);
  local(), local();
  assert(constructed == 1);
  int called = 0;
  std::call_once(once, [&] { called++; });
  assert(called == 1);
  known[std::to_string(round)] = round;
  own.push_back(round);
}

static void leave() {
  try {
    throw std::runtime_error("a text that is longer than what fits into the object itself");
  } catch (const std::exception &first) {
    try {
#ifdef WRONG
      assert(known.size() != 1);
#endif
      throw 5;
    } catch (int) {
      std::exit(0); // both are being handled
    }
  }
}

int main() {
  int round = static_cast<int>(mz_choose(1, ROUNDS));
  see_and_change(round);
  std::thread first([] { order.fetch_add(static_cast<int>(own.size()) + 1); });
  std::thread second([] { order.fetch_add(2); });
  first.join();
  second.join();
  assert(order == 3);
  leave();
}
