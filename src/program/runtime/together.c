/* Nobody can go on but those who wait in loops, and some of their rounds write what they take back
 * (loops/undone.c). Whether that is a livelock cannot be told from each of them alone: one may hold the spin
 * lock for which another one waits, and would let go of it; or one may see what another one has changed for a
 * while. So all of them go on, in every order, from the state at hand, until one comes to something else, or
 * all states are known that they can come to in this way. They are few: of each thread those of its round.
 *
 * A state is, of each thread, the local state at its operation, and the values of all that was changed on the
 * way. */
#include "program/runtime/together.h"
#include "base/hash.h"
#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/loops/rounds.h"
#include "program/loops/seen.h"
#include "program/runtime/guards.h"
#include "program/world/turns.h"

enum { MOST_STATES = 4096, MOST_CHANGED = 256 };

typedef struct finding {
    mz_threads spinning;
    uint64_t local[MZ_MAX_THREADS];
    mz__seen changed[MOST_CHANGED]; /* with the values of the state at hand */
    uint32_t changed_count, state_count;
    uint64_t states[MOST_STATES];
    bool too_many;
} finding;

/* Those of its changes from the first one on that are not known yet: what was there before is what was there
 * in the beginning. */
static void note_changed(finding *f, const mz__thread *t, uint32_t first)
{
    for (uint32_t i = first; i < t->change_count; i++) {
        const mz__change *change = &t->changes[i];
        bool is_known = change->kind != MZ__CHANGED_IT;
        for (uint32_t k = 0; k < f->changed_count && !is_known; k++)
            is_known = f->changed[k].address == change->address && f->changed[k].size == change->size;
        if (is_known)
            continue;
        if (f->changed_count == MOST_CHANGED) {
            f->too_many = true;
            return;
        }
        f->changed[f->changed_count++] =
            (mz__seen){change->address, change->size, change->cell, {change->before[0], change->before[1]}};
    }
}

static uint64_t state_now(const finding *f)
{
    uint64_t hash = 1;
    MZ_FOR_EACH_THREAD(u, f->spinning)
    {
        hash = mz_mix64(hash ^ f->local[u]) + u;
    }
    for (uint32_t i = 0; i < f->changed_count; i++) {
        uint64_t now[2];
        mz__copy_value(&f->changed[i], now);
        if (!mz__is_as_seen(&f->changed[i]))
            hash += mz_mix64(mz_mix64(now[0] ^ i) + mz_mix64(now[1] + i));
    }
    return hash;
}

static bool is_known(finding *f)
{
    uint64_t state = state_now(f);
    for (uint32_t i = 0; i < f->state_count; i++)
        if (f->states[i] == state)
            return true;
    f->too_many |= f->state_count == MOST_STATES;
    if (!f->too_many)
        f->states[f->state_count++] = state;
    return f->too_many;
}

static bool can_go_on(const mz__thread *t)
{
    return t->pending.guard == MZ__NOT_IN_VAIN || mz__guard_holds(&t->pending, t);
}

/* Its next operation, and what it does then. True if it has come to something else. */
static bool makes_step(finding *f, mz__thread *t)
{
    uint32_t from = t->visits_from, first = t->change_count;
    mz__trail_now.serial++;
    mz__save_thread(t);
    t->reads_from = t->read_count; /* of what it reads there is no limit here */
    mz__run_in_trial(t);
    note_changed(f, t, first);
    f->local[t->number] = mz__w.trial.next;
    return t->life != MZ__ALIVE || t->visits_from != from;
}

static bool gets_on_from_here(finding *f)
{
    bool gets_on = false;
    if (is_known(f))
        return false;
    MZ_FOR_EACH_THREAD(u, f->spinning)
    {
        mz__thread *t = &mz__w.threads[u];
        if (gets_on || f->too_many || !can_go_on(t))
            continue;
        uint64_t local = f->local[u];
        mz__before_trial before;
        mz__begin_trial(t, &before);
        gets_on = makes_step(f, t) || gets_on_from_here(f);
        mz__end_trial(&before);
        f->local[u] = local;
    }
    return gets_on;
}

bool mz__get_on_together(void)
{
    finding *f = mz_allocate_zeroed(1, sizeof *f);
    f->spinning = mz__w.state.status.spinning;
    bool gets_on = gets_on_from_here(f);
    if (f->too_many && !gets_on)
        mz__give_up(0, "whether waiting loops ever end is too much to be found out");
    mz_release(f);
    return gets_on;
}
