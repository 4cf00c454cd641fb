/* Nobody can go on, and some threads do not, because that would close a round in vain (rounds.c). Is it a
 * livelock?
 *
 * Let them make their rounds. Nothing changes any more, so each of them, alone, either comes to something
 * else or goes round and round. If all go round, they do so for ever: a livelock. If one comes to something
 * else, it had to read again what it has read: it holds a value that is old. Without its round the same state
 * is reached in a shorter execution, which is explored, and there it reads the new one: this execution is
 * redundant. */
#include "program/runtime/dead_ends.h"
#include "program/loops/rounds.h"
#include "program/loops/seen.h"
#include "program/loops/spin.h"
#include "program/runtime/guards.h"
#include "program/runtime/together.h"
#include "program/world/object_states.h"
#include "program/world/turns.h"

static bool waits_for_others(const mz__thread *t)
{
    return t->pending.guard != MZ__FREE && t->pending.guard != MZ__NOT_IN_VAIN &&
           !mz__guard_holds(&t->pending, t);
}

static bool gets_on(mz__thread *t)
{
    enum { MOST_STEPS = 4096 }; /* so many different states without progress: that is no spinning */
    mz__before_trial before;
    bool gets_on = false, stays = false;
    mz__begin_trial(t, &before);
    mz__save_thread(t);
    t->visits_from = t->visit_count - 1;
    uint32_t from = t->visits_from;
    for (uint32_t steps = 0; !gets_on && !stays; steps++) {
        mz__run_in_trial(t);
        gets_on = t->life != MZ__ALIVE || t->visits_from != from || steps == MOST_STEPS;
        stays = !gets_on && (mz__w.trial.came_back || waits_for_others(t));
    }
    mz__end_trial(&before);
    return gets_on;
}

/* On its own stack, and nobody else touches it: what it has there on the way round, and writes over, is part
 * of the local state by which the round was found. */
static bool is_local(const mz__thread *t, const mz__seen *seen)
{
    return seen->address >= MZ__STACK_BASE(t->number) && seen->address < t->stack_top &&
           !mz__is_foreign_word(t->number, seen->address);
}

static bool has_changed(const mz__thread *t)
{
    for (uint32_t i = t->pending.spins.from; i < t->pending.spins.to; i++)
        if (!mz__is_as_seen(&t->reads[i]) && !is_local(t, &t->reads[i]))
            return true;
    return false;
}

/* Under weak memory a loop that waits may have read what is old, and goes no further here (guards.c). Without
 * that round the same state is reached, and there it reads what is new. */
static bool has_seen_old(const mz__thread *t)
{
    const mz__pending *p = &t->pending;
    return (p->guard == MZ__CHANGED ||
            (p->guard == MZ__MUTEX_CHANGED && mz__is_free((const mz__mutex *)p->address))) &&
           has_changed(t);
}

bool mz__somebody_gets_on(void)
{
    if (mz__w.tracks_changes)
        return mz__get_on_together();
    MZ_FOR_EACH_THREAD(u, mz__w.state.status.spinning)
    {
        mz__thread *t = &mz__w.threads[u];
        if (t->pending.guard == MZ__NOT_IN_VAIN && gets_on(t))
            return true;
        if (mz__w.base.weak && has_seen_old(t))
            return true;
    }
    return false;
}
