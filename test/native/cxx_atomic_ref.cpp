// std::atomic_ref: accesses through it are atomic, those beside it are not.
// args: --cflags=-std=c++20
// expect: safe
// args: --cflags=-std=c++20 --cc=clang
// expect: safe
// args: --cflags=-std=c++20 -DRACE
// expect: unsafe data-race *
// args: --cflags=-std=c++20 -DLOST
// expect: unsafe assertion *
#include <atomic>
#include <cassert>
#include <thread>

static int counter;
static double sum;
static struct pair {
  int a, b;
} both;

static void first() {
  std::atomic_ref<int>(counter).fetch_add(1);
  std::atomic_ref<double>(sum).fetch_add(0.5);
#ifdef RACE
  both.a = 1;
#else
  std::atomic_ref<pair>(both).store({1, 1});
#endif
}

static void second() {
  std::atomic_ref<int> number(counter);
#ifdef LOST
  number.store(number.load() + 1);
#else
  for (int seen = number.load(); !number.compare_exchange_weak(seen, seen + 1);)
    ;
#endif
  std::atomic_ref<double>(sum).fetch_add(0.25);
  pair seen = std::atomic_ref<pair>(both).load();
#ifndef RACE
  assert(seen.a == seen.b);
#endif
}

int main() {
  std::thread a(first), b(second);
  a.join();
  b.join();
  assert(counter == 2);
  assert(sum == 0.75);
}
