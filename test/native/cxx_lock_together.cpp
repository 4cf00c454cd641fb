// std::lock and std::scoped_lock take their locks in any order without a deadlock, and never go round in vain. That b is held
// while a is waited for (HOLDER) is no deadlock either: who takes both together holds none of them until then. KEPT: with a third
// lock that is kept meanwhile it is one, or may be one day (LATER). OWNED: an exception on the way gives back what was taken, and ends it.
// args: --cflags=-std=c++17
// expect: safe traces=6
// args: --cflags=-std=c++11 -DUNIQUE
// expect: safe traces=6
// args: --cflags=-std=c++20 --cc=clang
// expect: safe traces=6
// args: --cflags=-std=c++17 -DHOLDER
// expect: safe
// args: --cflags=-std=c++17 -DSHARED
// expect: safe
// args: --cflags=-std=c++17 -DKEPT
// expect: unsafe deadlock *
// args: --cflags=-std=c++17 -DKEPT -DLATER
// expect: safe warns=lock-order:66
// args: --cflags=-std=c++17 -DOWNED
// expect: unsafe data-race *
// args: --cflags=-std=c++11 -DOWNED -DUNIQUE --cc=clang
// expect: unsafe data-race *
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <thread>

static std::mutex locks[3], &a = locks[0], &b = locks[1], &c = locks[2];
static int shared;

static void take(std::mutex &first, std::mutex &second) {
#ifdef UNIQUE
  std::unique_lock<std::mutex> one(first, std::defer_lock), other(second, std::defer_lock);
  std::lock(one, other);
  assert(one.owns_lock() && other.owns_lock());
#else
  std::scoped_lock both(first, second);
#endif
  shared++;
}

#ifdef HOLDER
static void hold_and_wait() {
  std::lock_guard<std::mutex> outer(b), inner(a);
  shared++;
}
#endif

#ifdef KEPT
static std::atomic<bool> taken;

static void keep_and_take() {
  std::lock_guard<std::mutex> kept(c);
  std::lock(a, b);
  a.unlock();
  b.unlock();
  taken = true;
}

static void wait_for_kept() {
#ifdef LATER
  while (!taken) {
  }
#endif
  std::lock_guard<std::mutex> held(b), wanted(c);
}
#endif

#ifdef OWNED
static void take_what_it_has() {
  std::unique_lock<std::mutex> free(a, std::defer_lock), owned(b);
  bool caught = false;
  try {
    std::lock(free, owned);
  } catch (const std::system_error &) {
    caught = true;
  }
  assert(caught && !free.owns_lock() && owned.owns_lock());
  shared++;
}

static void race() {
  std::lock_guard<std::mutex> held(a);
  shared++;
}
#endif

#ifdef SHARED
static std::shared_mutex table;
static std::recursive_mutex journal;
static int rows;

static void append() {
  std::scoped_lock all(journal, table, a);
  rows++;
}

static void read() {
  std::shared_lock<std::shared_mutex> reading(table, std::defer_lock);
  std::unique_lock<std::recursive_mutex> logging(journal, std::defer_lock);
  std::lock(reading, logging);
  std::lock_guard<std::recursive_mutex> again(journal);
  assert(rows <= 1);
}
#endif

int main() {
#ifdef OWNED
  std::thread one(take_what_it_has), other(race);
#elif defined KEPT
  std::thread one(keep_and_take), other(wait_for_kept);
#elif defined SHARED
  std::thread one(append), other(read);
#elif defined HOLDER
  std::thread one(take, std::ref(a), std::ref(b)), other(hold_and_wait);
#else
  std::thread one(take, std::ref(a), std::ref(b)), other(take, std::ref(b), std::ref(c));
  take(c, a);
#endif
  one.join();
  other.join();
#if defined HOLDER
  assert(shared == 2);
#elif !defined KEPT && !defined SHARED && !defined OWNED
  assert(shared == 3);
#endif
}
