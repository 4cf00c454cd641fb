// The characters of a string belong to the program's memory, wherever the code stands that writes them. LOCKED: right.
// args: --cflags=-std=c++17
// expect: unsafe data-race *
// args: --cflags=-std=c++17 --cc=clang
// expect: unsafe data-race *
// args: --cflags=-std=c++17 -DLOCKED
// expect: safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::string text;

static void add(const char *more) {
#ifdef LOCKED
  std::lock_guard<std::mutex> guard(lock);
#endif
  text += more;
}

int main() {
  std::thread t(add, "twenty-two characters,");
  add("and some more of them.");
  t.join();
  assert(text.size() == 44);
}
