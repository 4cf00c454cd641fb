// std::atomic<std::shared_ptr>: the loop in which the library waits for its lock is recognised as waiting. Who holds a
// pointer may read what it points to, however others replace it; who writes there races.
// args: --cflags=-std=c++20
// expect: safe
// args: --cflags=-std=c++20 --cc=clang
// expect: safe
// args: --cflags=-std=c++20 -DRACE
// expect: unsafe data-race *
// args: --cflags=-std=c++20 -DWRONG
// expect: unsafe assertion *
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct node {
  int value;
};

static std::atomic<std::shared_ptr<node>> head;
static std::atomic<std::weak_ptr<node>> watched;

static void replace() {
  auto made = std::make_shared<node>();
  made->value = 2;
  head.store(made);
}

static void look() {
  std::shared_ptr<node> seen = head.load();
  assert(seen->value == 1 || seen->value == 2);
#ifdef RACE
  seen->value = 1;
#endif
#ifdef WRONG
  assert(seen->value == 1);
#endif
}

static void alone() {
  auto first = std::make_shared<node>(), second = std::make_shared<node>();
  std::atomic<std::shared_ptr<node>> own(first);
  auto expected = second;
  assert(!own.compare_exchange_strong(expected, second) && expected == first);
  assert(own.compare_exchange_strong(expected, second) );
  assert(own.load() == second && second.use_count() > 1);
  expected = own.exchange(nullptr);
  assert(expected == second && !own.load() && second.use_count() == 2);
  watched.store(first);
  assert(watched.load().lock() == first);
  first.reset();
  assert(!watched.load().lock());
}

int main() {
  alone();
  auto first = std::make_shared<node>();
  first->value = 1;
  head.store(first);
  std::thread a(replace), b(look);
#ifdef RACE
  assert(first->value == 1);
#endif
  a.join();
  b.join();
#ifndef RACE
  assert(head.load()->value == 2);
#endif
  assert(first.use_count() == 1);
}
