// <mutex>, as it is installed, but for std::lock, on which std::scoped_lock rests. The library takes one of the locks, tries the
// others, and gives all back if it does not get them: two threads can go on like that for ever, which no search comes to an end
// of. Here it waits until it can take all of them, and does that at once. (What else there is of a failed attempt is that
// somebody who tries one of the locks does not get it, which the standard lets happen without any reason.)
#pragma GCC system_header
#include <bits/c++config.h>
#if _GLIBCXX_RELEASE < 11 || _GLIBCXX_RELEASE > 13 || defined(_GLIBCXX_MUTEX)
#include_next <mutex>
#else
#include <bits/std_mutex.h>
#include <bits/unique_lock.h>
#include <chrono>
#include <mazurka_deadlines.h>
#include <ext/atomicity.h>
#include <system_error>
#include <tuple>
#include <type_traits>
#line 20 "<locking>"
namespace std
{
class shared_mutex;
class shared_timed_mutex;
class timed_mutex;
class recursive_mutex;
class recursive_timed_mutex;
template <typename _Mutex> class shared_lock;

template <typename _L1, typename _L2, typename... _L3> void lock(_L1 &__l1, _L2 &__l2, _L3 &...__l3);
} // namespace std

// The definition in the library has three parameters; nothing else called lock has.
#define __name_of_four(_a, _b, _c, __name, ...) __name
#define lock(...)                               __name_of_four(__VA_ARGS__, __lock_by_trying, lock, lock, )(__VA_ARGS__)
#pragma push_macro("steady_clock")
#define steady_clock __deadline_clock
#include_next <mutex>
#pragma pop_macro("steady_clock")
#undef lock
#undef __name_of_four

extern "C" int mz_lock_together_begin(void);
extern "C" void mz_lock_together_end(void);

namespace std
{
namespace __detail
{
// Those of the library: to take them is all that happens on the way.
template <typename _Lock>
struct __is_known_lock
    : integral_constant<bool, is_same<_Lock, mutex>::value || is_same<_Lock, timed_mutex>::value ||
                                  is_same<_Lock, recursive_mutex>::value || is_same<_Lock, recursive_timed_mutex>::value ||
                                  is_same<_Lock, shared_mutex>::value || is_same<_Lock, shared_timed_mutex>::value> {
};
template <typename _Mutex> struct __is_known_lock<unique_lock<_Mutex>> : __is_known_lock<_Mutex> {
};
template <typename _Mutex> struct __is_known_lock<shared_lock<_Mutex>> : __is_known_lock<_Mutex> {
};

template <typename... _Ls> struct __are_known_locks : true_type {
};
template <typename _L1, typename... _Ls>
struct __are_known_locks<_L1, _Ls...>
    : integral_constant<bool, __is_known_lock<_L1>::value && __are_known_locks<_Ls...>::value> {
};

// A unique_lock that is held already throws, and so does one without a mutex: whichever way this is left, it comes to its end.
struct __together {
    const int __at_once = mz_lock_together_begin();
    ~__together()
    {
        mz_lock_together_end();
    }
};

template <typename _Lock> void __lock_each(_Lock &__last)
{
    __last.lock();
}
template <typename _L1, typename... _Ls> void __lock_each(_L1 &__l1, _Ls &...__others)
{
    unique_lock<_L1> __first(__l1);
    __lock_each(__others...);
    __first.release();
}
} // namespace __detail

template <typename _L1, typename _L2, typename... _L3> void lock(_L1 &__l1, _L2 &__l2, _L3 &...__l3)
{
    if (!__detail::__are_known_locks<_L1, _L2, _L3...>::value) {
        __lock_by_trying(__l1, __l2, __l3...);
        return;
    }
    __detail::__together __section;
    if (__section.__at_once)
        __detail::__lock_each(__l1, __l2, __l3...);
    else
        __lock_by_trying(__l1, __l2, __l3...);
}
} // namespace std
#endif
