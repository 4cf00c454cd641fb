/* Cleanup handlers and the end of a thread.
 *
 * In C the handlers of pthread_cleanup_push are known to nobody but the function that has pushed them: its
 * code notes where it is, as by setjmp, and when the thread ends, it is entered there once more, calls its
 * handler, and says that it is done (__pthread_unwind_next). Where it is is what every hook knows of its
 * caller. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "program/cxx/cxx.h"
#include "program/describe/failures.h"
#include "program/pthread/endings.h"
#include "program/pthread/lifecycle.h"
#include "program/runtime/accesses.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* What the program reserves for it: a __pthread_unwind_buf_t. */
typedef struct place {
    mz__registers registers;
    char unused[sizeof(__pthread_unwind_buf_t) - sizeof(mz__registers) - 2 * sizeof(void *)];
    char *hook_stack_now;
    struct place *outer;
} place;

_Static_assert(sizeof(place) == sizeof(__pthread_unwind_buf_t), "it has to fit");
_Static_assert(offsetof(place, hook_stack_now) >= offsetof(__pthread_unwind_buf_t, __pad),
               "__sigsetjmp (libc_jumps.c) writes what lies before");

static __attribute__((noreturn)) void go_on_at(const mz__registers *registers)
{
#if defined(__x86_64__)
    __asm__ volatile("movq (%0), %%rbx\n\tmovq 16(%0), %%r12\n\tmovq 24(%0), %%r13\n\t"
                     "movq 32(%0), %%r14\n\tmovq 40(%0), %%r15\n\tmovl $1, %%eax\n\t"
                     "movq 56(%0), %%rcx\n\tmovq 48(%0), %%rsp\n\tmovq 8(%0), %%rbp\n\tjmp *%%rcx"
                     :
                     : "D"(registers)
                     : "memory");
#else
    register const mz__registers *x0 __asm__("x0") = registers;
    __asm__ volatile("ldp x19, x20, [x0]\n\tldp x21, x22, [x0, 16]\n\tldp x23, x24, [x0, 32]\n\t"
                     "ldp x25, x26, [x0, 48]\n\tldp x27, x28, [x0, 64]\n\tldr x29, [x0, 80]\n\t"
                     "ldp x1, x30, [x0, 88]\n\tmov sp, x1\n\tmov x0, 1\n\tret"
                     :
                     : "r"(x0)
                     : "memory");
#endif
    __builtin_unreachable();
}

static __attribute__((noreturn)) void enter_handler(place *where)
{
    mz__thread *t = mz__w.current;
    mz__cold *cold = mz__cold_of(t);
    cold->cleanup = where->outer;
    cold->hook_stack_now = mz__hook_stack = where->hook_stack_now;
    mz__save_more_stack(t, where->registers.sp);
    mz__made_progress(); /* it returns to what spin.c has not compared */
    t->body_sp = where->registers.sp;
    go_on_at(&where->registers);
}

static __attribute__((noreturn)) void run_next_handler(void)
{
    if (mz__w.current->cold.cleanup)
        enter_handler(mz__w.current->cold.cleanup);
    mz__call_program(mz__end_thread);
    __builtin_unreachable();
}

void mz__exit_thread(void *result)
{
    if (mz__w.current->section)
        mz__give_up(mz__caller.pc, "a thread ends inside an atomic section");
    mz__cold_of(mz__w.current)->result = result;
    run_next_handler();
}

void mz__end_thread(void)
{
    mz__end_thread_objects();
    mz__run_destructors();
    mz__abandon_mutexes();
    mz__announce_end();
    mz__finish_thread();
}

MZ__HOOK(void, __wrap___pthread_register_cancel, place *where)
{
    mz__plain_access((uintptr_t)&where->hook_stack_now, 2 * sizeof(void *), true);
    where->hook_stack_now = mz__w.current->cold.hook_stack_now;
    where->outer = mz__w.current->cold.cleanup;
    mz__cold_of(mz__w.current)->cleanup = where;
}

MZ__HOOK(void, __wrap___pthread_unregister_cancel, place *where)
{
    mz__cold_of(mz__w.current)->cleanup = where->outer;
}

MZ__HOOK(void, __wrap___pthread_unwind_next, place *where)
{
    (void)where;
    run_next_handler();
}
