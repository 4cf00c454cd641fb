// Waits with a time limit have both outcomes: the status of wait_for without a predicate comes from the clock, which is then
// as late as the deadline.
// args: -DOUTCOME=0
// expect: unsafe assertion 28
// args: -DOUTCOME=1
// expect: unsafe assertion 28
// args: -DOUTCOME=0 -DMUTEX
// expect: unsafe assertion 28
// args: -DOUTCOME=1 -DMUTEX
// expect: unsafe assertion 28
// args: -DOUTCOME=2
// expect: safe
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::timed_mutex timed;
static std::condition_variable changed;

static int outcome();

int main() {
  std::thread other([] { std::lock_guard<std::mutex> a(mutex); std::lock_guard<std::timed_mutex> b(timed); changed.notify_one(); });
  int got = outcome();
  assert(got != OUTCOME);
  other.join();
}

static int outcome() {
#ifdef MUTEX
  bool taken = timed.try_lock_for(std::chrono::milliseconds(10));
  if (taken)
    timed.unlock();
  return taken;
#else
  std::unique_lock<std::mutex> lock(mutex);
  return changed.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout;
#endif
}
