// The same for std::condition_variable: the wait with a predicate looks again, the bare one (BUG) does not.
// args: --spurious
// expect: safe
// args: --spurious -DBUG
// expect: unsafe assertion 23
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

static void waiter() {
  std::unique_lock<std::mutex> lock(mutex);
#ifdef BUG
  if (!ready)
    changed.wait(lock);
#else
  changed.wait(lock, [] { return ready; });
#endif
  assert(ready);
}

int main() {
  std::thread t(waiter);
  {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    changed.notify_one();
  }
  t.join();
}
