// What commutes does so in C++, too: the counter, the readers of a lock, sections with data of their own. (The library
// makes threads with atomic operations that are weaker than seq_cst, but nobody else can notice those: interleavings
// are all there is.)
// args: -DWHAT=SUM
// expect: safe traces=24 refined=1
// args: -DWHAT=BITS
// expect: safe traces=24 refined=1
// args: -DWHAT=SUM -DN=8
// expect: safe traces=1 observations=40320
// args: -DWHAT=SUM -DN=8 -O2
// expect: safe traces=1 observations=40320
// args: -DWHAT=SUM -DN=8 -O0
// expect: safe traces=1 observations=40320
// args: -DWHAT=BITS -DN=8 -O0
// expect: safe traces=1 observations=40320
// args: -DWHAT=LOOKED_AT
// expect: safe traces=24
// args: -DWHAT=LOOKED_AT -O0
// expect: safe traces=24
// args: -DWHAT=LOOKED_AT -O2
// expect: safe traces=24
// args: -DWHAT=READERS
// expect: safe traces=2520 refined=1
// args: -DWHAT=SECTIONS
// expect: safe traces=24 refined=1
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 4
#endif

namespace
{
enum { SUM, BITS, LOOKED_AT, READERS, SECTIONS };
std::atomic<int> sum{0};
std::shared_mutex lock;
std::mutex mutex;
int data[N];

void work(int number)
{
    switch (WHAT) {
    case SUM:
        sum++;
        break;
    case BITS:
        sum |= 1 << number;
        break;
    case LOOKED_AT:
        data[number] = ++sum;
        break;
    case READERS: {
        std::shared_lock<std::shared_mutex> inside(lock);
        assert(data[0] == 0);
        break;
    }
    default: {
        std::lock_guard<std::mutex> inside(mutex);
        data[number]++;
    }
    }
}
} // namespace

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        threads.emplace_back(work, i);
    for (auto &t : threads)
        t.join();
    assert(WHAT != LOOKED_AT || data[0] > 0);
    assert(WHAT != SUM || sum == N);
    assert(WHAT != BITS || sum == (1 << N) - 1);
}
