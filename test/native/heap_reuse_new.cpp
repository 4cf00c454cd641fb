// The same for new and delete.
// expect: safe
// args: --heap-reuse
// expect: unsafe assertion 26
#include <atomic>
#include <cassert>
#include <thread>

struct object {
  int value;
};
static std::atomic<object *> slot;
static std::atomic<int> version;

static void replaces() {
  delete slot.exchange(nullptr);
  object *made = new object{1};
  version++;
  slot = made;
}

static void looks() {
  object *seen = slot;
  int before = version;
  if (seen && slot == seen && version != before)
    assert(slot.load() != seen);
}

int main() {
  slot = new object{0};
  std::thread t(replaces), u(looks);
  t.join();
  u.join();
  delete slot.load();
}
