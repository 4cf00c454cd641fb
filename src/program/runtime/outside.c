/* mz_outside_begin() and mz_outside_end(): between the two a thread waits for the world, or computes for
 * itself, for as long as it takes. Nobody waits for it at a loop boundary meanwhile.
 *
 * Here the thread runs through to mz_outside_end() at once, and waits there as at a loop boundary. Whenever
 * one is opened it is chosen whether it has come back by then: it goes on with the others, or stays. So all
 * that can happen while it is away is explored, in every number of iterations, and a state in which it is
 * away is one like any other. Somebody goes on: that nobody does is no new state.
 *
 * Why that is what happens in a run (safe/runtime/runtime_boundary.c): what the thread does outside may
 * happen there at any time up to its return, while others go through any number of iterations. It makes no
 * difference when, if it does nothing that others notice, nor notices them: no operation (that is checked at
 * the end of it), and no access to what they touch meanwhile. The latter would be a data race: whoever goes
 * on at a boundary does not come after what is done outside by those who stay (order_all() of
 * loop_boundary.c), while these come after all that was done when they went outside. Where races are no
 * errors, such an access becomes an operation, and is refused as one. */
#include "program/runtime/outside.h"

#include "program/describe/failures.h"
#include "program/order/happens_before.h"
#include "program/runtime/loop_boundary.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* The one that opens the boundary chooses for all: that is a part of its step, which comes after every step
 * before, so that the order of these cannot change what is chosen from. */
static bool choose_to_stay(void)
{
    if (!mz__w.choices)
        return false;
    bool stays = mz_choose(mz__w.choices, 0, 1);
    mz_choice *made = &mz__w.choices->made[mz__w.choices->count - 1];
    made->name = NULL;
    made->place = mz__caller.pc;
    return stays;
}

mz_threads mz__who_stays_outside(mz_threads at_boundary)
{
    mz_threads away = MZ_NO_THREADS, staying = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(u, at_boundary)
    {
        if (mz__w.threads[u].cold.outside)
            away |= mz_threads_of(u);
    }
    MZ_FOR_EACH_THREAD(u, away)
    {
        mz_threads others = at_boundary & ~staying & ~mz_threads_of(u);
        if (mz_threads_any(others) && choose_to_stay())
            staying |= mz_threads_of(u);
    }
    return staying;
}

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
    cold->outside_since = mz__tell_apart();
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
