#line 2 "<errors>"
// The exceptions of <stdexcept> and <system_error>, and the functions by which the headers throw them. Their
// texts lie in the program's own memory.
#include <errno.h>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdarg.h>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <system_error>
#include <typeinfo>

static const char *copy_text(const char *text, size_t length)
{
    char *copy = static_cast<char *>(malloc(length + 1));
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

namespace std {

nested_exception::~nested_exception() noexcept = default;

// ---- texts: each exception has one of its own -------------------------------------------------------------

__cow_string::__cow_string() : _M_p(copy_text("", 0)) {}
__cow_string::__cow_string(const string &text) : _M_p(copy_text(text.data(), text.size())) {}
__cow_string::__cow_string(const char *text, size_t length) : _M_p(copy_text(text, length)) {}
__cow_string::__cow_string(const __cow_string &other) noexcept : _M_p(copy_text(other._M_p, strlen(other._M_p)))
{
}
__cow_string::__cow_string(__cow_string &&other) noexcept : __cow_string(other) {}

__cow_string &__cow_string::operator=(const __cow_string &other) noexcept
{
    if (this != &other) {
        free(const_cast<char *>(_M_p));
        _M_p = copy_text(other._M_p, strlen(other._M_p));
    }
    return *this;
}

__cow_string &__cow_string::operator=(__cow_string &&other) noexcept
{
    return *this = other;
}

__cow_string::~__cow_string()
{
    free(const_cast<char *>(_M_p));
}

// ---- exceptions -------------------------------------------------------------------------------------------

#define BASE(type)                                                                                           \
    type::type(const string &text) : _M_msg(text) {}                                                         \
    type::type(const char *text) : _M_msg(text, strlen(text)) {}                                             \
    type::type(const type &) noexcept = default;                                                             \
    type &type::operator=(const type &) noexcept = default;                                                  \
    type::type(type &&) noexcept = default;                                                                  \
    type &type::operator=(type &&) noexcept = default;                                                       \
    type::~type() noexcept {}                                                                                \
    const char *type::what() const noexcept                                                                  \
    {                                                                                                        \
        return _M_msg._M_p;                                                                                  \
    }

#define DERIVED(type, base)                                                                                  \
    type::type(const string &text) : base(text) {}                                                           \
    type::type(const char *text) : base(text) {}                                                             \
    type::~type() noexcept {}

BASE(logic_error)
BASE(runtime_error)
DERIVED(domain_error, logic_error)
DERIVED(invalid_argument, logic_error)
DERIVED(length_error, logic_error)
DERIVED(out_of_range, logic_error)
DERIVED(range_error, runtime_error)
DERIVED(overflow_error, runtime_error)
DERIVED(underflow_error, runtime_error)

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }
void __throw_bad_function_call() { throw bad_function_call(); }
void __throw_logic_error(const char *text) { throw logic_error(text); }
void __throw_domain_error(const char *text) { throw domain_error(text); }
void __throw_invalid_argument(const char *text) { throw invalid_argument(text); }
void __throw_length_error(const char *text) { throw length_error(text); }
void __throw_out_of_range(const char *text) { throw out_of_range(text); }
void __throw_runtime_error(const char *text) { throw runtime_error(text); }
void __throw_range_error(const char *text) { throw range_error(text); }
void __throw_overflow_error(const char *text) { throw overflow_error(text); }
void __throw_underflow_error(const char *text) { throw underflow_error(text); }
void __throw_system_error(int code) { throw system_error(error_code(code, generic_category())); }

// The texts have %zu and %s only; any other way to write the same will do.
void __throw_out_of_range_fmt(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    throw out_of_range(text);
}

// ---- error codes ------------------------------------------------------------------------------------------

namespace _V2 {
error_category::~error_category() {}

error_condition error_category::default_error_condition(int code) const noexcept
{
    return error_condition(code, *this);
}

bool error_category::equivalent(int code, const error_condition &condition) const noexcept
{
    return default_error_condition(code) == condition;
}

bool error_category::equivalent(const error_code &code, int condition) const noexcept
{
    return *this == code.category() && code.value() == condition;
}

__cow_string error_category::_M_message(int code) const
{
    return __cow_string(message(code));
}
} // namespace _V2

namespace {
// Names of the errors that threads and locks report.
struct generic : error_category {
    const char *name_;
    explicit generic(const char *name) : name_(name) {}
    const char *name() const noexcept override
    {
        return name_;
    }
    string message(int code) const override
    {
        switch (code) {
        case EPERM:
            return "Operation not permitted";
        case ESRCH:
            return "No such process";
        case EAGAIN:
            return "Resource temporarily unavailable";
        case EBUSY:
            return "Device or resource busy";
        case EINVAL:
            return "Invalid argument";
        case EDEADLK:
            return "Resource deadlock avoided";
        }
        char text[32];
        snprintf(text, sizeof text, "error %d", code);
        return text;
    }
    error_condition default_error_condition(int code) const noexcept override
    {
        return error_condition(code, generic_category());
    }
};
generic generic_instance("generic"), system_instance("system");
} // namespace

namespace _V2 {
const error_category &generic_category() noexcept
{
    return generic_instance;
}

const error_category &system_category() noexcept
{
    return system_instance;
}
} // namespace _V2

error_condition error_code::default_error_condition() const noexcept
{
    return category().default_error_condition(value());
}

system_error::~system_error() noexcept {}
} // namespace std
