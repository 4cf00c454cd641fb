// wait and notify of atomics, latch, semaphore, jthread. BUG=1: nobody is notified. BUG=2: two wait, one is.
// args: --cflags=-std=c++20
// expect: safe
// args: --cflags=-std=c++20 --cc=clang
// expect: safe
// args: --cflags=-std=c++20 -DBUG=1
// expect: unsafe deadlock *
// args: --cflags=-std=c++20 -DBUG=1 --cc=clang
// expect: unsafe deadlock *
// args: --cflags=-std=c++20 -DBUG=2
// expect: unsafe deadlock *
// args: --cflags=-std=c++20 -DLATCH
// expect: safe
#include <atomic>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::atomic<int> go;
static std::latch both(2);
static std::binary_semaphore token(0);
static int data;

static void wait() {
#ifdef LATCH
  both.arrive_and_wait();
  token.acquire();
  data++;
  token.release();
#else
  go.wait(0);
  assert(data == 1);
#endif
}

int main() {
  std::jthread a(wait), b(wait);
  data = 1;
  go = 1;
#if BUG == 2
  go.notify_one();
#elif BUG != 1
  go.notify_all();
#endif
  token.release();
}
