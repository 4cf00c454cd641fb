// Each thread constructs its own and destroys it at its end, before it counts as ended. BUG: what the destructor
// does is not protected.
// args: --cflags=-std=c++17
// expect: safe
// args: --cflags=-std=c++17 --cc=clang
// expect: safe
// args: --cflags=-std=c++17 -DBUG
// expect: unsafe data-race 19
#include <atomic>
#include <cassert>
#include <thread>
#ifdef BUG
static int total;
#else
static std::atomic<int> total;
#endif
struct Count {
  int own = 0;
  ~Count() { total += own; }
};
static thread_local Count count;

static void work() {
  count.own++;
  count.own++;
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(total == 4 && count.own == 0);
}
