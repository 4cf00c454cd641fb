/* C++: what the parts of its library that are compiled into a program (program/cxx/linked/) ask for, and
 * delete, which is the last access to a block, as free() is. All else is the installed library's own. */
#include "safe/runtime/runtime_sync.h"

#include <stdlib.h>
#include <string.h>

/* ---- the end of objects ---------------------------------------------------------------------------------
 */

static void (*end_of_program)(void), (*end_of_thread)(void); /* set once, by a constructor */

static void end_program(int status, void *nothing)
{
    (void)status;
    (void)nothing;
    end_of_program();
}

/* The first that is asked for, so the last that happens. Not by atexit(), which is the program's: it comes to
 * the same list of objects. */
void __mazurka_at_end(void (*of_program)(void), void (*of_thread)(void));
void __mazurka_at_end(void (*of_program)(void), void (*of_thread)(void))
{
    end_of_program = of_program;
    end_of_thread = of_thread;
    on_exit(end_program, NULL);
}

static void end_thread(void *nothing)
{
    (void)nothing;
    end_of_thread();
}

/* The C library's: after the cleanup handlers, before the destructors of thread-specific data. */
extern int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *shared_object);
extern void *__dso_handle __attribute__((visibility("hidden")));

void mz__thread_begins(void)
{
    if (end_of_thread)
        __cxa_thread_atexit_impl(end_thread, NULL, &__dso_handle);
}

/* ---- delete: whatever its form, the installed library's is free() ---------------------------------------
 */

#define DELETE(name, ...)                                                                                    \
    void __wrap_##name(void *block __VA_OPT__(, ) __VA_ARGS__);                                              \
    void __wrap_##name(void *block __VA_OPT__(, ) __VA_ARGS__)

static mz__enforcement begin_delete(void *block)
{
    bool counts = __builtin_expect(mz__counts_accesses, 0) && block;
    return counts ? mz__begin(MZ__KIND(UPDATE) | MZ__KIND(WRITE), block) : MZ__FREELY;
}

#define DELETE_PLAIN(name)                                                                                   \
    DELETE(name)                                                                                             \
    {                                                                                                        \
        mz__enforcement mode = begin_delete(block);                                                          \
        mz__give_back(block);                                                                                \
        mz__end(mode);                                                                                       \
    }

#define DELETE_WITH(name, type)                                                                              \
    DELETE(name, type more)                                                                                  \
    {                                                                                                        \
        mz__enforcement mode = begin_delete(block);                                                          \
        (void)more;                                                                                          \
        mz__give_back(block);                                                                                \
        mz__end(mode);                                                                                       \
    }

#define DELETE_WITH_TWO(name, type, other)                                                                   \
    DELETE(name, type more, other still)                                                                     \
    {                                                                                                        \
        mz__enforcement mode = begin_delete(block);                                                          \
        (void)more;                                                                                          \
        (void)still;                                                                                         \
        mz__give_back(block);                                                                                \
        mz__end(mode);                                                                                       \
    }

DELETE_PLAIN(_ZdlPv)
DELETE_PLAIN(_ZdaPv)
DELETE_WITH(_ZdlPvm, size_t)
DELETE_WITH(_ZdaPvm, size_t)
DELETE_WITH(_ZdlPvSt11align_val_t, size_t)
DELETE_WITH(_ZdaPvSt11align_val_t, size_t)
DELETE_WITH_TWO(_ZdlPvmSt11align_val_t, size_t, size_t)
DELETE_WITH_TWO(_ZdaPvmSt11align_val_t, size_t, size_t)
DELETE_WITH(_ZdlPvRKSt9nothrow_t, const void *)
DELETE_WITH(_ZdaPvRKSt9nothrow_t, const void *)

/* ---- the rest -------------------------------------------------------------------------------------------
 */

/* The state of standard streams, which several threads may change at a time. */
void __mazurka_store(void *to, const void *from, size_t bytes);
void __mazurka_store(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

__attribute__((noreturn)) void __mazurka_uncaught(const void *pc, const char *type, const char *what);
__attribute__((noreturn)) void __mazurka_uncaught(const void *pc, const char *type, const char *what)
{
    mz__message message = {.length = 0};
    (void)pc;
    if (type) {
        mz__add_text(&message, "uncaught exception of type ");
        mz__add_text(&message, type);
        mz__add_text(&message, what ? ": " : "");
    } else if (!what) {
        what = "std::terminate() is called";
    }
    mz__add_text(&message, what ? what : "");
    mz__add_text(&message, "\n");
    mz__say(&message);
    abort();
}
