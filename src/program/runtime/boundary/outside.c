/* mz_outside_begin() and mz_outside_end(): between the two a thread waits for the world, or computes for
 * itself, for as long as it takes. Nobody waits for it at a loop boundary meanwhile.
 *
 * Here the thread runs through to mz_outside_end() at once, and waits there as at a loop boundary. Whenever
 * one is opened it is chosen whether it has come back by then: it goes on with the others, or stays. So all
 * that can happen while it is away is explored, in every number of iterations, and a state in which it is
 * away is one like any other. Somebody goes on: that nobody does is no new state.
 *
 * Why that is what happens in a run (safe/runtime/runtime_boundary.c): what the thread does outside happens
 * there at any time up to its return, while others go through any number of iterations. It makes no
 * difference when, as it does nothing that others notice, nor notices them: no operation (that is checked at
 * the end), and no access to memory that any other thread touches in any execution, nor to variables with
 * static storage (access_word() of runtime/accesses.c). Its own stack and its own blocks it may use. */
#include "program/describe/failures.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/world/turns.h"
#include "program/world/world.h"

static bool has_done_something(const mz__thread *t)
{
    return t->events != t->cold.outside_events || t->operations != t->cold.outside_operations;
}

MZ__HOOK(void, mz_outside_begin, void)
{
    mz__thread *t = mz__w.current;
    mz__check_boundary_caller("mz_outside_begin");
    if (t->cold.outside)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "mz_outside_begin() is called by thread %u, which is outside",
                 t->number);
    mz__w.goes_outside = true;
    mz__cold *cold = mz__cold_of(t);
    cold->outside = true;
    cold->outside_events = t->events;
    cold->outside_operations = t->operations;
}

MZ__HOOK(void, mz_outside_end, void)
{
    const mz__thread *t = mz__w.current;
    if (!t->cold.outside)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "mz_outside_end() is called by thread %u, which is not outside",
                 t->number);
    if (has_done_something(t))
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "thread %u does what others may notice between mz_outside_begin() and mz_outside_end()",
                 t->number);
    mz__pass_boundary("mz_outside_end");
    mz__cold_of(mz__w.current)->outside = false;
}
