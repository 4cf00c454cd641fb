// What a compare-exchange expects is an ordinary variable in C++, too.
// expect: unsafe data-race 15
// args: -DOWN
// expect: safe
#include <atomic>
#include <thread>

static std::atomic<long> x;
static long shared = 1;

static void work() {
#ifdef OWN
  long shared = 1;
#endif
  x.compare_exchange_strong(shared, 2);
}

int main() {
  std::thread t(work);
  work();
  t.join();
}
