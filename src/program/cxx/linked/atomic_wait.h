// In place of the header of that name: wait and notify of atomics, latches, barriers and semaphores, which
// otherwise spin for a while and then call the system. Here they wait with a mutex and a condition variable,
// so that a missing notify is seen as the deadlock that it is.
#pragma once
#include <bits/c++config.h>
#if _GLIBCXX_RELEASE < 11 || _GLIBCXX_RELEASE > 13
#include_next <bits/atomic_wait.h>
#elif !defined(_GLIBCXX_ATOMIC_WAIT_H)
#line 9 "<waiting>"
#define _GLIBCXX_ATOMIC_WAIT_H 1
#define __cpp_lib_atomic_wait  201907L
#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <ext/numeric_traits.h>
#include <pthread.h>
#include <stdint.h>

namespace std
{
namespace __detail
{
using __platform_wait_t = int;
inline constexpr size_t __platform_wait_alignment = 4;

inline void __thread_relax() noexcept
{
}
inline void __thread_yield() noexcept
{
}

// Trying for a while is like trying once, a little later.
template <typename _Pred> bool __atomic_spin(_Pred &&__pred) noexcept
{
    return __pred();
}

// Where those wait that look at an address: usually at no other one. What they wait for is told with its name, which is found
// by how this begins and how it is aligned (program/describe/names.c).
struct alignas(128) __waiting_place {
    const void *_M_address;
    bool _M_mixed; // they look at several: then all of them are woken, to look again
    int _M_count;
    pthread_mutex_t _M_mutex;
    pthread_cond_t _M_condition;
};

inline __waiting_place __waiting_places[64];

inline __waiting_place &__waiting_place_of(const void *__address)
{
    return __waiting_places[(reinterpret_cast<uintptr_t>(__address) >> 2) % 64];
}

template <typename _Pred> void __wait_until(const void *__address, _Pred __pred) noexcept
{
    if (__pred())
        return;
    __waiting_place &__place = __waiting_place_of(__address);
    pthread_mutex_lock(&__place._M_mutex);
    if (__place._M_count == 0) {
        __place._M_address = __address;
        __place._M_mixed = false;
    } else if (__place._M_address != __address) {
        __place._M_mixed = true;
    }
    __place._M_count++;
    while (!__pred())
        pthread_cond_wait(&__place._M_condition, &__place._M_mutex);
    __place._M_count--;
    pthread_mutex_unlock(&__place._M_mutex);
}

inline void __notify(const void *__address, bool __all) noexcept
{
    __waiting_place &__place = __waiting_place_of(__address);
    pthread_mutex_lock(&__place._M_mutex);
    if (__all || __place._M_mixed)
        pthread_cond_broadcast(&__place._M_condition);
    else
        pthread_cond_signal(&__place._M_condition);
    pthread_mutex_unlock(&__place._M_mutex);
}
} // namespace __detail

template <typename _Tp, typename _ValFn>
void __atomic_wait_address_v(const _Tp *__addr, _Tp __old, _ValFn __vfn) noexcept
{
    __detail::__wait_until(__addr, [&] {
        _Tp __now = __vfn();
        return __builtin_memcmp(&__now, &__old, sizeof __old) != 0;
    });
}

template <typename _Tp, typename _Pred> void __atomic_wait_address(const _Tp *__addr, _Pred __pred) noexcept
{
    __detail::__wait_until(__addr, __pred);
}

template <typename _Pred>
void __atomic_wait_address_bare(const __detail::__platform_wait_t *__addr, _Pred __pred) noexcept
{
    __detail::__wait_until(__addr, __pred);
}

template <typename _Tp> void __atomic_notify_address(const _Tp *__addr, bool __all) noexcept
{
    __detail::__notify(__addr, __all);
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t *__addr, bool __all) noexcept
{
    __detail::__notify(__addr, __all);
}
} // namespace std
#endif
