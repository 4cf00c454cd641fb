#line 2 "<runtime>"
// What the language itself needs of a C++ library: initialisation of local statics, exceptions, the end of
// static and thread-local objects. This and its neighbours are compiled into every checked C++ program, in
// the same way as the program: so their accesses are seen, their variables belong to its memory and are taken
// back with it, and what they wait for is understood. (Those of the installed library cannot be seen.)
//
// The layout of exceptions and guards is that of the Itanium C++ ABI, since compilers, the unwinder and the
// installed library's personality routine (__gxx_personality_v0, which keeps no state) rely on it.
#include <cxxabi.h>
#include <errno.h>
#include <exception>
#include <new>
#include <stdint.h>
#include <stdlib.h>
#include <typeinfo>
#include <unwind.h>

extern "C" {
// The checker's.
[[noreturn]] void __mazurka_uncaught(const void *pc, const char *type, const char *what);
void __mazurka_at_end(void (*of_program)(), void (*of_thread)());
void __tsan_write_range(void *address, long size);
}

// The headers count references without atomic operations while there is one thread only. It makes no
// difference but for the checker, which would have to be told when that ends.
extern "C" char __libc_single_threaded = 0;

// <iostream> initialises the streams wherever it is included. Programs that use them are refused.
extern "C" void _ZNSt8ios_base4InitC1Ev(void *) {}
extern "C" void _ZNSt8ios_base4InitD1Ev(void *) {}

// ---- local statics -------------------------------------------------------------------------------------
//
// The first byte of a guard says that the object is there (the compiler looks at it, too), its second half is
// a lock for whoever initialises it.

using guard_t = __cxxabiv1::__guard;

static char *done(guard_t *guard)
{
    return reinterpret_cast<char *>(guard);
}

static int *lock(guard_t *guard)
{
    return reinterpret_cast<int *>(guard) + 1;
}

static void unlock(guard_t *guard)
{
    __atomic_store_n(lock(guard), 0, __ATOMIC_RELEASE);
}

extern "C" int __cxa_guard_acquire(guard_t *guard)
{
    if (__atomic_load_n(done(guard), __ATOMIC_ACQUIRE))
        return 0;
    for (int free = 0; !__atomic_compare_exchange_n(lock(guard), &free, 1, false, __ATOMIC_ACQUIRE,
                                                    __ATOMIC_ACQUIRE);)
        free = 0;
    if (!__atomic_load_n(done(guard), __ATOMIC_ACQUIRE))
        return 1;
    unlock(guard);
    return 0;
}

extern "C" void __cxa_guard_release(guard_t *guard)
{
    __atomic_store_n(done(guard), 1, __ATOMIC_RELEASE);
    unlock(guard);
}

extern "C" void __cxa_guard_abort(guard_t *guard)
{
    unlock(guard);
}

// ---- the end of objects --------------------------------------------------------------------------------

namespace {
struct ending {
    void (*destroy)(void *);
    void *object;
    ending *next;
    bool taken;
};
ending *endings; // of the program, the latest first: several threads may construct local statics
thread_local ending *endings_here;

// The latest that nobody has taken. They stay in the list: others may be going through it, and nothing is lost.
ending *take_ending()
{
    ending *e = __atomic_load_n(&endings, __ATOMIC_ACQUIRE);
    while (e && __atomic_exchange_n(&e->taken, true, __ATOMIC_ACQ_REL))
        e = e->next;
    return e;
}

void end_thread()
{
    while (ending *e = endings_here) {
        ending copy = *e;
        endings_here = e->next;
        free(e);
        copy.destroy(copy.object);
    }
}

void end_program()
{
    end_thread();
    while (ending *e = take_ending())
        e->destroy(e->object);
}

ending *new_ending(void (*destroy)(void *), void *object)
{
    ending *e = static_cast<ending *>(malloc(sizeof *e));
    e->destroy = destroy;
    e->object = object;
    e->taken = false;
    return e;
}

void call_handler(void *handler)
{
    reinterpret_cast<void (*)()>(handler)();
}
} // namespace

extern "C" int __cxa_atexit(void (*destroy)(void *), void *object, void *)
{
    ending *e = new_ending(destroy, object);
    e->next = __atomic_load_n(&endings, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&endings, &e->next, e, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
    return 0;
}

// In one order with the destructors.
extern "C" int __wrap_atexit(void (*handler)())
{
    return __cxa_atexit(call_handler, reinterpret_cast<void *>(handler), nullptr);
}

extern "C" int __cxa_thread_atexit(void (*destroy)(void *), void *object, void *)
{
    ending *e = new_ending(destroy, object);
    e->next = endings_here;
    endings_here = e;
    return 0;
}

__attribute__((constructor(101))) static void begin()
{
    __mazurka_at_end(end_program, end_thread);
}

// ---- exceptions ----------------------------------------------------------------------------------------

namespace {
// Stands before every exception object. From `type` to `unwind` it is the ABI's, and the personality routine
// writes into it while the handler is looked for.
struct header {
    int references;
    int padding[3];
    std::type_info *type;
    void (*destroy)(void *);
    void (*unexpected)();
    void (*terminate)();
    header *next;
    int handlers; // active ones; negative: thrown again
    int switch_value;
    const unsigned char *action_record, *data;
    _Unwind_Ptr catch_temporary;
    void *adjusted;
    _Unwind_Exception unwind;
};

static_assert(sizeof(header) == 128, "as the personality routine sees it");

// The exception that rethrow_exception throws refers to the first one: in place of the type.
constexpr uint64_t vendor = UINT64_C(0x474e5543432b2b00), of_dependent = vendor + 1; // "GNUCC++\0"

struct globals {
    header *caught;
    unsigned uncaught;
};
thread_local globals mine;
thread_local const void *thrown_at;

header *header_of(void *object)
{
    return static_cast<header *>(object) - 1;
}

header *header_of(_Unwind_Exception *unwind)
{
    return reinterpret_cast<header *>(unwind + 1) - 1;
}

bool is_native(const header *h)
{
    return (h->unwind.exception_class & ~UINT64_C(1)) == vendor;
}

void *object_of(header *h)
{
    return h->unwind.exception_class == of_dependent ? static_cast<void *>(h->type) : h + 1;
}

std::type_info *type_of(header *h)
{
    return header_of(object_of(h))->type;
}

void release(void *object)
{
    header *h = header_of(object);
    if (__atomic_sub_fetch(&h->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (h->destroy)
        h->destroy(object);
    free(h);
}

[[noreturn]] void fail_uncaught();

[[noreturn]] void call_terminate(std::terminate_handler handler) noexcept
{
    handler();
    abort();
}

std::terminate_handler handler_now = fail_uncaught;

// Unseen code will write there: what stands there now is needed to take that back.
void raise(header *h)
{
    mine.uncaught++;
    __tsan_write_range(h, sizeof *h);
    _Unwind_RaiseException(&h->unwind);
    __cxxabiv1::__cxa_begin_catch(&h->unwind); // nobody catches it
    call_terminate(h->terminate);
}

void clean_primary(_Unwind_Reason_Code, _Unwind_Exception *unwind)
{
    release(header_of(unwind) + 1);
}

void clean_dependent(_Unwind_Reason_Code, _Unwind_Exception *unwind)
{
    header *h = header_of(unwind);
    void *primary = object_of(h);
    free(h);
    release(primary);
}

[[noreturn]] void fail_uncaught()
{
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (!type)
        __mazurka_uncaught(nullptr, nullptr, nullptr);
    const char *what = nullptr;
    void *object = mine.caught->adjusted ? mine.caught->adjusted : object_of(mine.caught);
    if (type->__is_pointer_p())
        object = nullptr;
    if (object && typeid(std::exception).__do_catch(type, &object, 1))
        what = static_cast<std::exception *>(object)->what();
    int status = 0;
    const char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    __mazurka_uncaught(thrown_at, name ? name : type->name(), what);
}
} // namespace

namespace __cxxabiv1 {
extern "C" void *__cxa_allocate_exception(size_t size) noexcept
{
    return static_cast<header *>(calloc(1, sizeof(header) + size)) + 1;
}

extern "C" void __cxa_free_exception(void *object) noexcept
{
    free(header_of(object));
}

extern "C" __cxa_eh_globals *__cxa_get_globals() noexcept
{
    return reinterpret_cast<__cxa_eh_globals *>(&mine);
}

extern "C" __cxa_eh_globals *__cxa_get_globals_fast() noexcept
{
    return __cxa_get_globals();
}

extern "C" __cxa_refcounted_exception *__cxa_init_primary_exception(void *object, std::type_info *type,
                                                                    void (*destroy)(void *)) noexcept
{
    header *h = header_of(object);
    h->references = 0;
    h->type = type;
    h->destroy = destroy;
    h->terminate = std::get_terminate();
    h->unwind.exception_class = vendor;
    h->unwind.exception_cleanup = clean_primary;
    return reinterpret_cast<__cxa_refcounted_exception *>(h);
}

extern "C" void __cxa_throw(void *object, std::type_info *type, void (*destroy)(void *))
{
    thrown_at = __builtin_return_address(0);
    __cxa_init_primary_exception(object, type, destroy);
    header_of(object)->references = 1;
    raise(header_of(object));
    __builtin_unreachable();
}

extern "C" void *__cxa_get_exception_ptr(void *unwind) noexcept
{
    return header_of(static_cast<_Unwind_Exception *>(unwind))->adjusted;
}

extern "C" void *__cxa_begin_catch(void *unwind) noexcept
{
    header *h = header_of(static_cast<_Unwind_Exception *>(unwind));
    if (!is_native(h))
        std::terminate();
    int handlers = h->handlers;
    h->handlers = (handlers < 0 ? -handlers : handlers) + 1;
    mine.uncaught--;
    if (mine.caught != h) {
        h->next = mine.caught;
        mine.caught = h;
    }
    return h->adjusted;
}

extern "C" void __cxa_end_catch()
{
    header *h = mine.caught;
    if (!h)
        return;
    int handlers = h->handlers;
    if (handlers < 0) { // on its way again: the last handler that it leaves takes it off the list
        h->handlers = ++handlers;
        if (handlers == 0)
            mine.caught = h->next;
    } else {
        h->handlers = --handlers;
        if (handlers == 0) {
            mine.caught = h->next;
            _Unwind_DeleteException(&h->unwind);
        }
    }
}

extern "C" void __cxa_rethrow()
{
    header *h = mine.caught;
    thrown_at = __builtin_return_address(0);
    if (!h)
        std::terminate();
    h->handlers = -h->handlers;
    mine.uncaught++;
    __tsan_write_range(h, sizeof *h);
    _Unwind_Resume_or_Rethrow(&h->unwind);
    __cxa_begin_catch(&h->unwind);
    call_terminate(h->terminate);
}

extern "C" std::type_info *__cxa_current_exception_type() noexcept
{
    return mine.caught ? type_of(mine.caught) : nullptr;
}

extern "C" void __cxa_bad_cast()
{
    throw std::bad_cast();
}

extern "C" void __cxa_bad_typeid()
{
    throw std::bad_typeid();
}

extern "C" void __cxa_throw_bad_array_new_length()
{
    throw std::bad_array_new_length();
}

extern "C" void __cxa_call_unexpected(void *unwind)
{
    __cxa_begin_catch(unwind);
    std::terminate();
}

extern "C" void __cxa_pure_virtual()
{
    __mazurka_uncaught(__builtin_return_address(0), nullptr, "a pure virtual function is called");
}

extern "C" void __cxa_deleted_virtual()
{
    __mazurka_uncaught(__builtin_return_address(0), nullptr, "a deleted virtual function is called");
}
} // namespace __cxxabiv1

namespace std {
void terminate() noexcept
{
    call_terminate(__atomic_load_n(&handler_now, __ATOMIC_ACQUIRE));
}

terminate_handler set_terminate(terminate_handler handler) noexcept
{
    return __atomic_exchange_n(&handler_now, handler ? handler : fail_uncaught, __ATOMIC_ACQ_REL);
}

terminate_handler get_terminate() noexcept
{
    return __atomic_load_n(&handler_now, __ATOMIC_ACQUIRE);
}

bool uncaught_exception() noexcept
{
    return mine.uncaught > 0;
}

int uncaught_exceptions() noexcept
{
    return static_cast<int>(mine.uncaught);
}

namespace __exception_ptr {
exception_ptr::exception_ptr(void *object) noexcept : _M_exception_object(object)
{
    _M_addref();
}

void exception_ptr::_M_addref() noexcept
{
    if (_M_exception_object)
        __atomic_add_fetch(&header_of(_M_exception_object)->references, 1, __ATOMIC_ACQ_REL);
}

void exception_ptr::_M_release() noexcept
{
    if (_M_exception_object) {
        release(_M_exception_object);
        _M_exception_object = nullptr;
    }
}

void *exception_ptr::_M_get() const noexcept
{
    return _M_exception_object;
}

const type_info *exception_ptr::__cxa_exception_type() const noexcept
{
    return header_of(_M_exception_object)->type;
}
} // namespace __exception_ptr

exception_ptr current_exception() noexcept
{
    return mine.caught ? exception_ptr(object_of(mine.caught)) : exception_ptr();
}

void rethrow_exception(exception_ptr pointer)
{
    void *primary = pointer._M_get();
    thrown_at = __builtin_return_address(0);
    __atomic_add_fetch(&header_of(primary)->references, 1, __ATOMIC_ACQ_REL);
    header *h = static_cast<header *>(calloc(1, sizeof *h));
    h->type = static_cast<type_info *>(primary);
    h->terminate = get_terminate();
    h->unwind.exception_class = of_dependent;
    h->unwind.exception_cleanup = clean_dependent;
    raise(h);
    __builtin_unreachable();
}
} // namespace std
