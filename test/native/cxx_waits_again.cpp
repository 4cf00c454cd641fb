// Waiting for a length of time, again and again until what is waited for is there: the library asks the clock, the program does
// not, so that each round is like the one before. CLOCK: the program asks, too, and gives up after a while. NOBODY: nobody signals, so
// that it goes round for ever. TOO_EARLY: whether the time was up is not looked at.
// args: --cflags=-std=c++17
// expect: safe
// args: --cflags=-std=c++11
// expect: safe
// args: --cflags='-std=c++20 -O1' --cc=clang
// expect: safe
// args: --cflags=-std=c++17 -DCLOCK
// expect: safe
// args: --cflags=-std=c++17 -DNOBODY
// expect: unsafe livelock * or deadlock *
// args: --cflags=-std=c++17 -DTOO_EARLY
// expect: unsafe assertion *
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

using std::chrono::milliseconds;

static std::mutex m;
static std::condition_variable changed;
static std::timed_mutex guard;
static bool ready;
static int shared;

static void make_ready() {
#ifndef NOBODY
  std::lock_guard<std::mutex> held(m);
  ready = true;
  changed.notify_one();
#endif
}

static void wait_until_ready() {
  std::unique_lock<std::mutex> held(m);
#ifdef CLOCK
  auto begun = std::chrono::steady_clock::now();
  while (!ready && std::chrono::steady_clock::now() - begun < milliseconds(25))
    changed.wait_for(held, milliseconds(10));
#elif defined TOO_EARLY
  if (!ready)
    changed.wait_for(held, milliseconds(10));
  assert(ready);
#else
  while (!changed.wait_for(held, milliseconds(10), [] { return ready; })) {
  }
#endif
}

static void take_in_turn() {
  while (!guard.try_lock_for(milliseconds(1))) {
  }
  shared++;
  guard.unlock();
}

int main() {
  std::thread other(make_ready);
  wait_until_ready();
  other.join();
#if !defined CLOCK && !defined NOBODY && !defined TOO_EARLY
  std::thread one(take_in_turn), two(take_in_turn);
  one.join();
  two.join();
  assert(shared == 2);
  auto answer = std::async(std::launch::async, [] { return 42; });
  while (answer.wait_for(milliseconds(1)) != std::future_status::ready) {
  }
  assert(answer.get() == 42);
  auto before = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> held(m);
  if (changed.wait_for(held, milliseconds(500)) == std::cv_status::timeout)
    assert(std::chrono::steady_clock::now() - before >= milliseconds(500));
#endif
}
// compilers: without optimisation clang has the time that is waited until in temporary variables on the stack, too: no round is like another
