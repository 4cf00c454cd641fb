#line 2 "<clocks>"
// Clocks: the virtual one of the checker, which clock_gettime shows.
#include <chrono>
#include <time.h>

namespace std {
namespace chrono {
inline namespace _V2 {

static nanoseconds now(clockid_t clock)
{
    timespec time;
    clock_gettime(clock, &time);
    return seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

system_clock::time_point system_clock::now() noexcept
{
    return time_point(duration_cast<duration>(_V2::now(CLOCK_REALTIME)));
}

steady_clock::time_point steady_clock::now() noexcept
{
    return time_point(duration_cast<duration>(_V2::now(CLOCK_MONOTONIC)));
}

} // namespace _V2
} // namespace chrono
} // namespace std
