// What two threads have written through std::atomic_ref, main reads plainly after it has joined them.
// args: --cflags=-std=c++20
// expect: unsafe assertion 16
#include <atomic>
#include <cassert>
#include <thread>

static int c;

int main()
{
    std::thread s([] { std::atomic_ref<int>(c).store(1); });
    std::thread t([] { std::atomic_ref<int>(c).store(2); });
    s.join();
    t.join();
    assert(c == 2);
    return 0;
}
