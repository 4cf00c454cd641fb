// shared_mutex, recursive_mutex, scoped_lock, shared_ptr: readers beside each other, writers alone. BUG: a writer with a
// reader's lock.
// args: --cflags=-std=c++17
// expect: safe
// args: --cflags=-std=c++17 --cc=clang
// expect: safe
// args: --cflags=-std=c++17 -DBUG
// expect: unsafe data-race *
#include <cassert>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Table {
  std::shared_mutex lock;
  std::recursive_mutex a, b;
  int x = 0, y = 0;
};

static void write(std::shared_ptr<Table> t) {
#ifdef BUG
  std::shared_lock<std::shared_mutex> guard(t->lock);
#else
  std::unique_lock<std::shared_mutex> guard(t->lock);
#endif
  t->x++;
  t->y++;
}

static void read(std::shared_ptr<Table> t) {
  {
    std::shared_lock<std::shared_mutex> guard(t->lock);
    assert(t->x == t->y);
  }
  std::lock_guard<std::recursive_mutex> first(t->a), again(t->a);
}

int main() {
  auto table = std::make_shared<Table>();
  std::thread a(write, table), b(read, table);
  read(table);
  a.join();
  b.join();
  assert(table.use_count() == 1 && table->x == 1);
}
