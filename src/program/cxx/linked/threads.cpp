#line 2 "<threads>"
// Threads, condition variables, call_once.
#include <condition_variable>
#include <errno.h>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <type_traits>

namespace std {

// ---- threads ----------------------------------------------------------------------------------------------

thread::_State::~_State() = default;

static void *run(void *state)
{
    thread::_State_ptr owner(static_cast<thread::_State *>(state));
    owner->_M_run();
    return nullptr;
}

void thread::_M_start_thread(_State_ptr state, void (*)())
{
    int error = pthread_create(&_M_id._M_thread, nullptr, run, state.get());
    if (error)
        __throw_system_error(error);
    state.release();
}

void thread::join()
{
    int error = joinable() ? pthread_join(_M_id._M_thread, nullptr) : EINVAL;
    if (error)
        __throw_system_error(error);
    _M_id = id();
}

void thread::detach()
{
    int error = joinable() ? pthread_detach(_M_id._M_thread) : EINVAL;
    if (error)
        __throw_system_error(error);
    _M_id = id();
}

unsigned thread::hardware_concurrency() noexcept
{
    return 2;
}

// ---- condition variables ----------------------------------------------------------------------------------

condition_variable::condition_variable() noexcept = default;

/* In newer libraries the member does that itself. */
condition_variable::~condition_variable() noexcept
{
    if (is_trivially_destructible<decltype(_M_cond)>::value)
        pthread_cond_destroy(native_handle());
}

void condition_variable::wait(unique_lock<mutex> &lock)
{
    pthread_cond_wait(native_handle(), lock.mutex()->native_handle());
}

void condition_variable::notify_one() noexcept
{
    pthread_cond_signal(native_handle());
}

void condition_variable::notify_all() noexcept
{
    pthread_cond_broadcast(native_handle());
}

// ---- call_once --------------------------------------------------------------------------------------------

__thread void *__once_callable;
__thread void (*__once_call)();

extern "C" void __once_proxy()
{
    __once_call();
}

} // namespace std

// An exception leaves a pthread_once as if it had not been called: so that of call_once is one that exceptions
// can leave.
extern "C" int __wrap_pthread_once(pthread_once_t *once, void (*routine)())
{
    for (;;) {
        int state = __atomic_load_n(once, __ATOMIC_ACQUIRE);
        if (state == 2)
            return 0;
        if (state == 0 &&
            __atomic_compare_exchange_n(once, &state, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
            break;
    }
    try {
        routine();
    } catch (...) {
        __atomic_store_n(once, 0, __ATOMIC_RELEASE);
        throw;
    }
    __atomic_store_n(once, 2, __ATOMIC_RELEASE);
    return 0;
}
