/* pthread_create and its kin, and how a program ends. Creating and joining are no events but program order
 * between the two threads: a thread that joins another goes on as part of the step in which that one ends. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "program/cxx/cxx.h"
#include "program/describe/failures.h"
#include "program/describe/notes.h"
#include "program/describe/warnings.h"
#include "program/order/happens_before.h"
#include "program/order/initialised.h"
#include "program/pthread/attributes.h"
#include "program/pthread/endings.h"
#include "program/pthread/lifecycle.h"
#include "program/runtime/accesses.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/guards.h"
#include "program/runtime/operations.h"
#include "program/runtime/simple_sections.h"
#include "program/world/causes.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

static pthread_t handle_of(uint32_t thread)
{
    return (pthread_t)(thread + 1);
}

MZ__HOOK(int, __wrap_pthread_create, pthread_t *handle, const mz__thread_attributes *attributes,
         void *(*start)(void *), void *argument)
{
    uintptr_t pc = mz__caller.pc;
    mz__made_progress();
    mz__plain_access((uintptr_t)handle, sizeof *handle, true);
    bool detached = attributes && attributes->detach_state == PTHREAD_CREATE_DETACHED;
    *handle = handle_of(mz__create_thread(start, argument, detached, pc));
    return 0;
}

static void note_joiner(mz__thread *t)
{
    if (t->joiner == mz__me() + 1)
        return;
    MZ__SAVE(t->joiner);
    t->joiner = mz__me() + 1;
}

enum { NOBODY_YET = UINT32_MAX };

/* Who joins it, or has done so. Main, most often, joins threads that have ended, one after the other, at the
 * end of every execution: then it is not noted, and nobody else's name is there. */
static uint32_t joiner_of(const mz__thread *t, bool joined)
{
    return t->joiner ? t->joiner - 1 : joined ? 0 : NOBODY_YET;
}

/* A mistake that is one because of what another thread has done: that comes before. */
static __attribute__((noinline, cold)) void joins_wrongly(const mz__thread *t, bool joined)
{
    uint32_t joiner = joiner_of(t, joined);
    if (joiner != NOBODY_YET && joiner != mz__me())
        mz__inherit_causes(mz__w.current, &mz__w.threads[joiner]);
    if (t->detached || joined)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "thread %u is joined, but it %s", t->number,
                 joined ? "was joined before" : "is detached");
    mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "thread %u is joined by thread %u, but thread %u does that already",
             t->number, mz__me(), joiner);
}

/* Apart: joining a thread that has ended then needs no switch and what comes with it. One that has called
 * exit() has not: the program ends while others wait for it. */
static __attribute__((noinline)) void wait_for_end(mz__thread *t, const void *result)
{
    note_joiner(t);
    while (!t->returned) {
        mz__w.current->deferred = false;
        mz__pending *p = mz__prepare(mz__w.current, MZ_OP_JOIN, "pthread_join");
        p->joins = t->number;
        p->address = (uintptr_t)result; /* what it will write is not seen otherwise */
        p->resumable = true;
        mz__wait();
    }
}

MZ__HOOK(int, __wrap_pthread_join, pthread_t handle, void **result)
{
    mz__thread *t = mz__thread_of(handle);
    uint32_t number = t->number;
    mz__note_caller();
    if (number == mz__me()) {
        if (mz__is_new_warning(MZ_WARN_REFUSED, mz__caller.pc, 0))
            mz__warn(MZ_WARN_REFUSED, mz__caller.pc, "thread %u joins itself: pthread_join returns EDEADLK",
                     number);
        return EDEADLK;
    }
    if (mz__w.cancellation_used)
        mz__test_cancel("pthread_join", false);
    mz__not_in_simple_section();
    bool joined = mz_threads_has(mz__w.state.joined, number);
    if (t->detached || joined || (t->joiner && t->joiner != mz__me() + 1))
        joins_wrongly(t, joined);
    if (mz__w.joins_cancelled && mz__may_be_cancelled())
        mz__await_end_or_cancel(t, "pthread_join");
    if (!t->returned)
        wait_for_end(t, result);
    mz__made_progress();
    if (mz__me() != 0)
        note_joiner(t);
    mz__w.state.joined |= mz_threads_of(number); /* saved with the step */
    mz__w.current->joined |= mz_threads_of(number);
    mz__acquire_thread(number);
    if (result) {
        mz__plain_access((uintptr_t)result, sizeof *result, true);
        *result = t->cold.result;
    }
    return 0;
}

/* Whichever of the two comes first, a thread must not be detached and joined: so it is told in any order, and
 * detaching need not be an event. */
static __attribute__((noinline, cold)) void detaches_wrongly(const mz__thread *t, bool joined)
{
    uint32_t joiner = joiner_of(t, joined);
    if (joiner != NOBODY_YET && joiner != mz__me())
        mz__inherit_causes(mz__w.current, &mz__w.threads[joiner]);
    mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "thread %u is detached, but it %s", t->number,
             joined ? "was joined before" : "is being joined");
}

MZ__HOOK(int, __wrap_pthread_detach, pthread_t handle)
{
    mz__thread *t = mz__thread_of(handle);
    bool joined = mz_threads_has(mz__w.state.joined, t->number);
    if (joined || t->joiner)
        detaches_wrongly(t, joined);
    if (t->detached)
        return EINVAL;
    MZ__SAVE(t->detached);
    t->detached = true;
    return 0;
}

MZ__HOOK(void, __wrap_pthread_exit, void *result)
{
    if (mz__w.has_exceptions) /* local objects would have to be destroyed on the way */
        mz__give_up(mz__caller.pc,
                    "pthread_exit in a C++ program is not modelled: return from the thread's function");
    mz__exit_thread(result);
}

MZ__HOOK(pthread_t, __wrap_pthread_self, void)
{
    return handle_of(mz__me());
}

MZ__HOOK(int, __wrap_pthread_equal, pthread_t a, pthread_t b)
{
    return a == b;
}

/* Yielding says nothing about what others do meanwhile. */
MZ__WITHOUT_EFFECT(sched_yield)
MZ__WITHOUT_EFFECT(pthread_yield)

/* ---- the end --------------------------------------------------------------------------------------------
 */

/* Whatever the other threads do after this, they could have done just before it: they go on, and the end is
 * only that nobody who waits is in a deadlock. */
static void end_program(void)
{
    mz__not_in_simple_section();
    mz__w.state.status.ended = true; /* saved with the step */
    mz__stop(MZ__FINISHED);
}

static __attribute__((noreturn)) void exit_at_once(int status, uintptr_t pc)
{
    mz__has_read_all();
    mz__note_status(status, pc);
    if (mz__w.report_exit && (status & 0xff) != 0)
        mz__fail(MZ_FAIL_EXIT, pc, "the program ends with status %d", status & 0xff);
    if (mz__w.join_at_exit && mz__me() == 0)
        mz__finish_thread();
    end_program();
    __builtin_unreachable();
}

/* The call that is made next: nothing comes in between. */
static mz__exit_handler handler_now;
static int status_now;

/* A function without parameters does not see the arguments. */
static void call_handler(void)
{
    ((void (*)(int, void *))handler_now.function)(status_now, handler_now.argument);
}

/* The last one first; a handler may add others. */
static void call_handlers(const mz__exit_handler *handlers, uint32_t *count, int status)
{
    mz__registers caller = mz__caller; /* they have hooks of their own */
    while (*count > 0) {
        handler_now = handlers[--*count];
        status_now = status;
        mz__call_program(call_handler);
        mz__caller = caller;
    }
}

static int add_handler(mz__exit_handler *handlers, uint32_t *count, mz__exit_handler handler)
{
    if (*count == sizeof mz__w.exit_handlers / sizeof *mz__w.exit_handlers)
        return -1;
    MZ__SAVE(handlers[*count]);
    handlers[(*count)++] = handler;
    return 0;
}

/* The running thread ends the program, with these registers; NULL: by returning from main. */
static void note_exit(const mz__registers *registers)
{
    if (!mz__w.report_leaks)
        return;
    mz__not_in_simple_section();
    mz__registers *place = &mz__w.left_at[mz__me()];
    MZ__SAVE(*place);
    *place = registers ? *registers : (mz__registers){.sp = mz__w.current->stack_top};
}

void mz__exit(int status, uintptr_t pc, const mz__registers *registers)
{
    note_exit(registers);
    call_handlers(mz__w.exit_handlers, &mz__w.state.exit_handlers, status);
    mz__end_static_objects();
    exit_at_once(status, pc);
}

void mz__assertion(uintptr_t pc, const char *format, ...)
{
    if (mz__w.base.ignore_assertions) {
        mz__note_abort(pc);
        end_program();
    }
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mz__fail(MZ_FAIL_ASSERTION, pc, "%s", text);
}

MZ__HOOK(void, __wrap_exit, int status)
{
    mz__exit(status, mz__caller.pc, &mz__caller);
}

static __attribute__((noreturn)) void exit_without_handlers(int status)
{
    note_exit(&mz__caller);
    exit_at_once(status, mz__caller.pc);
}

MZ__HOOK(void, __wrap__exit, int status)
{
    exit_without_handlers(status);
}

MZ__HOOK(void, __wrap__Exit, int status)
{
    exit_without_handlers(status);
}

MZ__HOOK(void, __wrap_quick_exit, int status)
{
    note_exit(&mz__caller);
    call_handlers(mz__w.quick_exit_handlers, &mz__w.state.quick_exit_handlers, status);
    exit_at_once(status, mz__caller.pc);
}

MZ__HOOK(int, __wrap_atexit, void (*handler)(void))
{
    return add_handler(mz__w.exit_handlers, &mz__w.state.exit_handlers, (mz__exit_handler){handler, NULL});
}

MZ__HOOK(int, __wrap_on_exit, void (*handler)(void), void *argument)
{
    return add_handler(mz__w.exit_handlers, &mz__w.state.exit_handlers,
                       (mz__exit_handler){handler, argument});
}

MZ__HOOK(int, __wrap_at_quick_exit, void (*handler)(void))
{
    return add_handler(mz__w.quick_exit_handlers, &mz__w.state.quick_exit_handlers,
                       (mz__exit_handler){handler, NULL});
}

MZ__HOOK(void, __wrap_abort, void)
{
    mz__assertion(mz__caller.pc, "abort() is called");
}

MZ__HOOK(void, __wrap___assert_fail, const char *expression, const char *file, unsigned line,
         const char *function)
{
    (void)file;
    (void)line;
    (void)function;
    mz__assertion(mz__caller.pc, "assertion failed: %s", expression);
}

MZ__HOOK(void, __wrap___assert, const char *expression, const char *file, int line)
{
    (void)file;
    (void)line;
    mz__assertion(mz__caller.pc, "assertion failed: %s", expression);
}

MZ__HOOK(void, __wrap___stack_chk_fail, void)
{
    mz__fail(MZ_FAIL_MEMORY, mz__caller.pc, "the stack of thread %u was overwritten", mz__me());
}

void mz__await_end_or_cancel(mz__thread *t, const char *verb)
{
    mz__pending *p = mz__on_end(t->number, MZ_OP_READ, verb);
    p->kind = MZ_OP_AWAIT;
    p->guard = MZ__ENDED_OR_CANCEL;
    p->joins = t->number;
    mz__look_for_cancel(p);
    mz__announce(p, false);
    if (mz__is_cancelled(mz__w.current))
        mz__obey_cancel();
}
