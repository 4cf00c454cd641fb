// The clock by which the library itself reckons how long it may wait, if a program says so by a length of time: wait_for(),
// try_lock_for(). The program does not ask for the time then, so it must not show: a loop that waits again and again comes back to
// the same state. In the checker this clock stands still, but for the moment after a wait has run out of time. Who gives a point in
// time is told by the true clock. (Included before the headers in which the name of the one stands for the other.)
#pragma once
#pragma GCC system_header
#include <atomic>
#include <chrono>
#include <memory>
#include <system_error>
#if __cplusplus > 201703L
#include <semaphore>
#include <stop_token>
#endif

extern "C" long mz_deadline_now(void);

namespace std
{
namespace chrono
{
struct __deadline_clock {
    using duration = nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = chrono::time_point<__deadline_clock>;
    static constexpr bool is_steady = true;

    static time_point now() noexcept
    {
        return time_point(duration(mz_deadline_now()));
    }
};
} // namespace chrono
} // namespace std
