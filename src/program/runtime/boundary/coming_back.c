/* Who comes back from outside when a loop boundary is opened (outside.c). */
#include "program/runtime/boundary/coming_back.h"

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
