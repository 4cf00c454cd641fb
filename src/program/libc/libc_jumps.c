/* setjmp and longjmp. A hook notes what its caller must find again when it returns: that is all that setjmp
 * has to keep. The stack is the fiber's own and stays where it is, so that jumping is as in the library. */
#include <pthread.h>

#include "program/describe/failures.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/sections.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* What pthread_cleanup_push has on the stack is a shorter buffer, which __sigsetjmp gets as well: not more
 * than the registers and a word. */
typedef struct jump {
    mz__registers registers;
#if defined(__aarch64__)
    double floating[8]; /* d8 … d15 */
#endif
    struct {
        uint64_t mark : 28,
            thread : MZ_WIDE_THREAD_BITS, section : 6, section_frames : 6; /* as in the thread's record */
        uint64_t hook_depth : 14; /* where hooks begin, in lines below that record: not 0 in a callback */
    } rest;
} jump;

enum { MARK = 0x6a756d7, MOST_SECTIONS = 63 };
_Static_assert(sizeof(jump) <= offsetof(__pthread_unwind_buf_t, __pad), "");
_Static_assert(MZ__HOOK_STACK_BYTES / MZ__LINE < 1 << 14, "");

/* First of all in its hook, before our own code uses these registers. */
static inline __attribute__((always_inline)) void note_floating(jump *j)
{
#if defined(__aarch64__)
    __asm__ volatile("stp d8, d9, [%0]\n\tstp d10, d11, [%0, 16]\n\tstp d12, d13, [%0, 32]\n\t"
                     "stp d14, d15, [%0, 48]"
                     :
                     : "r"(j->floating)
                     : "memory");
#else
    (void)j;
#endif
}

static int set_jump(jump *buffer, jump *j)
{
    const mz__thread *t = mz__w.current;
    j->registers = mz__caller;
    memset(&j->rest, 0, sizeof j->rest);
    j->rest.mark = MARK;
    if (t->section > MOST_SECTIONS)
        mz__give_up(mz__caller.pc, "setjmp within more than %d atomic sections", MOST_SECTIONS);
    j->rest.thread = t->number & (MZ_MAX_THREADS - 1);
    j->rest.section = t->section & MOST_SECTIONS;
    j->rest.section_frames = t->section_frames & MOST_SECTIONS;
    j->rest.hook_depth = (uint64_t)((const char *)&t->sp - mz__hook_stack) / MZ__LINE & 0x3fff;
    mz__write_memory(buffer, j, sizeof *j);
    return 0;
}

#define SET_JUMP(name, ...)                                                                                  \
    MZ__HOOK(int, __wrap_##name, jump *buffer __VA_ARGS__)                                                   \
    {                                                                                                        \
        jump j;                                                                                              \
        note_floating(&j);                                                                                   \
        return set_jump(buffer, &j);                                                                         \
    }

SET_JUMP(setjmp)
SET_JUMP(_setjmp)
SET_JUMP(sigsetjmp)   /* there are no signals: it does not matter whether their mask is kept, */
SET_JUMP(__sigsetjmp) /* which the second argument says */

static __attribute__((noreturn)) void go(const jump *j, int value)
{
#if defined(__x86_64__)
    __asm__ volatile("movq 0(%0), %%rbx\n\tmovq 8(%0), %%rbp\n\tmovq 16(%0), %%r12\n\tmovq 24(%0), %%r13\n\t"
                     "movq 32(%0), %%r14\n\tmovq 40(%0), %%r15\n\tmovq 48(%0), %%rsp\n\tjmp *56(%0)"
                     :
                     : "D"(j), "a"(value)
                     : "memory");
#else
    register const jump *x1 __asm__("x1") = j;
    register long x0 __asm__("x0") = value;
    __asm__ volatile("ldp x19, x20, [x1]\n\tldp x21, x22, [x1, 16]\n\tldp x23, x24, [x1, 32]\n\t"
                     "ldp x25, x26, [x1, 48]\n\tldp x27, x28, [x1, 64]\n\tldr x29, [x1, 80]\n\t"
                     "ldp x16, x30, [x1, 88]\n\tldp d8, d9, [x1, 104]\n\tldp d10, d11, [x1, 120]\n\t"
                     "ldp d12, d13, [x1, 136]\n\tldp d14, d15, [x1, 152]\n\tmov sp, x16\n\tret"
                     :
                     : "r"(x0), "r"(x1)
                     : "memory");
#endif
    __builtin_unreachable();
}

static void check_jump(const jump *j)
{
    if (j->rest.mark != MARK)
        mz__fail(MZ_FAIL_CRASH, mz__caller.pc, "longjmp without a setjmp before it");
    if (j->rest.thread != mz__me())
        mz__fail(MZ_FAIL_CRASH, mz__caller.pc, "longjmp by thread %u to where thread %u has called setjmp",
                 mz__me(), (uint32_t)j->rest.thread);
    if (j->registers.sp < mz__caller.sp)
        mz__fail(MZ_FAIL_CRASH, mz__caller.pc, "longjmp into a function that has returned");
}

/* The functions that are left do not say so: what their ends would have done is done here. */
static void leave_functions(const jump *j)
{
    mz__thread *t = mz__w.current;
    uintptr_t sp = j->registers.sp;
    if (t->section < j->rest.section)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "longjmp into an atomic section that is over");
    while (t->section > j->rest.section)
        mz__section_end();
    t->section_frames = j->rest.section_frames;
    t->body_sp = sp;
    if (t->saved_top < t->stack_top)
        mz__save_more_stack(t, sp);
    if (t->hashed_to != UINTPTR_MAX && sp + mz__window_margin() >= t->hashed_to)
        mz__made_progress();
    mz__hook_stack = (char *)&t->sp - j->rest.hook_depth * MZ__LINE;
    if (mz__hook_stack != t->cold.hook_stack_now)
        mz__cold_of(t)->hook_stack_now = mz__hook_stack;
}

static __attribute__((noreturn)) void jump_to(const jump *buffer, int value)
{
    mz__plain_access((uintptr_t)buffer, sizeof *buffer, false);
    check_jump(buffer);
    leave_functions(buffer);
    go(buffer, value ? value : 1);
}

#define JUMP(name)                                                                                           \
    MZ__HOOK(void, __wrap_##name, const jump *buffer, int value)                                             \
    {                                                                                                        \
        jump_to(buffer, value);                                                                              \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
