// In place of the header of that name: see atomic_wait.h. Whether the time is over before the condition holds
// is a choice.
#pragma once
#include <bits/c++config.h>
#if _GLIBCXX_RELEASE < 11 || _GLIBCXX_RELEASE > 13
#include_next <bits/atomic_timed_wait.h>
#elif !defined(_GLIBCXX_ATOMIC_TIMED_WAIT_H)
#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1
#include <bits/atomic_wait.h>
#include <bits/chrono.h>

extern "C" int mz_choose(int, int);

namespace std
{
namespace __detail
{
template <typename _Pred> bool __wait_for_a_time(const void *__address, _Pred __pred) noexcept
{
    if (__pred())
        return true;
    if (mz_choose(0, 1) == 0)
        return false;
    __wait_until(__address, __pred);
    return true;
}
} // namespace __detail

template <typename _Pred, typename _Clock, typename _Dur>
bool __atomic_wait_address_until_bare(const __detail::__platform_wait_t *__addr, _Pred __pred,
                                      const chrono::time_point<_Clock, _Dur> &) noexcept
{
    return __detail::__wait_for_a_time(__addr, __pred);
}

template <typename _Pred, typename _Rep, typename _Period>
bool __atomic_wait_address_for_bare(const __detail::__platform_wait_t *__addr, _Pred __pred,
                                    const chrono::duration<_Rep, _Period> &) noexcept
{
    return __detail::__wait_for_a_time(__addr, __pred);
}
} // namespace std
#endif
