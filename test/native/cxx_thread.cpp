// std::thread, mutex, condition_variable, vector, string, map. BUG=1: a map without the lock. BUG=2: the flag is set
// and notified before anybody waits, and who waits does not look at it first. BUG=3: a thread that is neither joined
// nor detached is destroyed.
// args: --cflags=-std=c++17
// expect: safe
// args: --cflags=-std=c++17 --cc=clang
// expect: safe
// args: --cflags=-std=c++20 --cflags=-O2
// expect: safe
// args: --cflags=-std=c++17 -DBUG=1
// expect: unsafe data-race *
// args: --cflags=-std=c++17 -DBUG=2
// expect: unsafe deadlock *
// args: --cflags=-std=c++17 -DBUG=2 --cc=clang
// expect: unsafe deadlock *
// args: --cflags=-std=c++17 -DBUG=3
// expect: unsafe crash *
#include <cassert>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable changed;
static std::map<int, std::string> names;
static bool open;

static void work(int number) {
  {
#if BUG != 1
    std::lock_guard<std::mutex> guard(lock);
#endif
    names[number] = std::string(30, static_cast<char>('a' + number));
  }
  std::unique_lock<std::mutex> guard(lock);
#if BUG == 2
  changed.wait(guard);
#else
  changed.wait(guard, [] { return open; });
#endif
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++)
    threads.emplace_back(work, i);
  {
    std::lock_guard<std::mutex> guard(lock);
    open = true;
  }
  changed.notify_all();
#if BUG != 3
  for (auto &t : threads)
    t.join();
  assert(names.size() == 2 && names.at(1) == std::string(30, 'b'));
#endif
}
