/* Fibers take turns: how they are left and entered, and what is saved of them. */
#include "program/world/turns.h"
#include "program/world/step.h"
#include "program/world/world.h"

void mz__save_record(mz__thread *t)
{
    mz__save(&t->sp, mz__record_end(t) - (uintptr_t)&t->sp);
}

void mz__save_more_stack(mz__thread *t, uintptr_t sp)
{
    while (t->saved_top < t->stack_top && sp + mz__window_margin() >= t->saved_top) {
        uintptr_t top =
            t->stack_top - t->saved_top > mz__window() ? t->saved_top + mz__window() : t->stack_top;
        mz__save_stack(t->saved_top, top);
        t->saved_top = top;
    }
    mz__note_local(t);
}

MZ_VECTOR void mz__save_thread(mz__thread *t)
{
    mz__save_thread_once(t);
}

void mz__stop(mz__life life)
{
    mz__w.current->life = life;
    mz__note_place(mz__w.current);
    mz__leave_for_good(mz__scheduler_sp);
}

void mz__prune(void)
{
    if (!mz__w.trying)
        mz__w.was_pruned = true;
    mz__stop(MZ__PRUNED);
}

void mz__cut(void)
{
    if (!mz__w.trying)
        mz__w.was_pruned = true;
    mz__stop(MZ__CUT);
}

/* A hook calls a function of the program: that runs on the program's stack, and its own hooks below this one.
 */
void mz__call_program(void (*function)(void))
{
    mz__thread *t = mz__w.current;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!t || (uintptr_t)&t->sp - here >= MZ__HOOK_STACK_BYTES) {
        function();
        return;
    }
    char *now = t->cold.hook_stack_now;
    mz__cold_of(t)->hook_stack_now = mz__hook_stack = (char *)((here & ~(uintptr_t)63) - 4096);
    mz__call_on((mz__caller.sp & ~(uintptr_t)15) - 256, function);
    mz__cold_of(t)->hook_stack_now = mz__hook_stack = now;
}

void mz__change_thread(mz__thread *t)
{
    mz__save_record(t);
    mz__w.state.guarded |= mz_threads_of(t->number); /* it may wait for something else from now on */
}

/* The running thread stays in its fiber, but the state in between is one to go back to (stretch.c). Nobody
 * else is touched, as by most steps: see mz__end_step. */
MZ_VECTOR void mz__take_step(void)
{
    mz__thread *t = mz__w.current;
    mz__note_left(t);
    mz__w.state.guarded = t->pending.guard == MZ__FREE ? MZ_NO_THREADS : mz_threads_of(t->number);
    mz__begin_mark(t);
    mz__clear_step();
    mz_further *further = &mz__w.further[mz__w.base.further_count++];
    mz__note_one_access(t, &further->operation, &further->access);
    mz__set_out(t);
}

void mz__run_fiber(mz__thread *t)
{
    mz__save_thread(t);
    mz__resume(t);
}
