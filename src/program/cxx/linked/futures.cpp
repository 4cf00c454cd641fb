#line 2 "<futures>"
// The parts of <future> that are no templates.
#include <future>

namespace std {

// ---- futures ----------------------------------------------------------------------------------------------

namespace {
struct future_errors : error_category {
    const char *name() const noexcept override
    {
        return "future";
    }
    string message(int code) const override
    {
        switch (future_errc(code)) {
        case future_errc::promise_already_satisfied:
            return "Promise already satisfied";
        case future_errc::future_already_retrieved:
            return "Future already retrieved";
        case future_errc::no_state:
            return "No associated state";
        case future_errc::broken_promise:
            return "Broken promise";
        }
        return "Unknown error";
    }
};
future_errors future_instance;
} // namespace

const error_category &future_category() noexcept
{
    return future_instance;
}

future_error::~future_error() noexcept {}

const char *future_error::what() const noexcept
{
    return logic_error::what();
}

void __throw_future_error(int code)
{
    throw future_error(make_error_code(future_errc(code)));
}

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

// At the end of the thread, when its own objects are gone: the future becomes ready.
void __future_base::_State_baseV2::_Make_ready::_M_set()
{
    struct ready_later {
        _Make_ready *first = nullptr;
        ~ready_later()
        {
            for (_Make_ready *next; first; first = next) {
                next = static_cast<_Make_ready *>(first->_M_next);
                if (auto state = first->_M_shared_state.lock())
                    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
                delete first;
            }
        }
    };
    static thread_local ready_later list;
    _M_next = list.first;
    list.first = this;
}

// The value of the word says whether to wait; whoever changes it wakes whoever waits (the headers see to
// that), so that waiting for the value is the same as waiting to be woken.
// With a limit, how it looks when the wait ends is all that anybody notices of it, and it may end at any time.
static bool wait_for_change(unsigned *word, unsigned value, bool limited)
{
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        if (limited)
            return false;
    return true;
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *word, unsigned value, bool limited,
                                                       chrono::seconds, chrono::nanoseconds)
{
    return wait_for_change(word, value, limited);
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned *word, unsigned value, bool limited,
                                                              chrono::seconds, chrono::nanoseconds)
{
    return wait_for_change(word, value, limited);
}

void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *) {}

} // namespace std
