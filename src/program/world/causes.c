/* What an operation comes after beside what it conflicts with: creation, joins, being woken. And who is
 * alone.
 */
#include "program/world/causes.h"
#include "program/world/world.h"

void mz__add_cause(mz__thread *t, uint32_t other, uint32_t index)
{
    bool known = mz_threads_has(t->caused_by, other);
    if (index == 0 || other == t->number || (known && t->cause_index[other] >= index))
        return;
    MZ__SAVE(t->cause_index[other]); /* also if it is not in use now: it may have been before */
    t->cause_index[other] = index;
    t->caused_by |= mz_threads_of(other);
}

/* Of each thread its latest event that the next operation of `t` comes after. Those that were joined may have
 * joined others: `left` are those that have not been looked at, each once, as threads that come one after the
 * other have joined all before them. */
static mz_threads collect_causes(const mz__thread *t, mz_threads set, uint32_t *index, mz_threads *left)
{
    MZ_FOR_EACH_THREAD(u, t->caused_by)
    {
        if (!mz_threads_has(set, u) || index[u] < t->cause_index[u])
            index[u] = t->cause_index[u];
        set |= mz_threads_of(u);
    }
    mz_threads joined = t->joined & *left;
    *left &= ~joined;
    MZ_FOR_EACH_THREAD(ended, joined)
    {
        const mz__thread *other = &mz__w.threads[ended];
        if (other->events > 0) {
            index[ended] = other->events;
            set |= mz_threads_of(ended);
        }
        set = collect_causes(other, set, index, left);
    }
    return set;
}

uint32_t mz__list_causes(const mz__thread *t, mz_cause *causes)
{
    uint32_t count = 0, index[MZ_MAX_THREADS];
    mz_threads left = MZ_ALL_THREADS, set = collect_causes(t, MZ_NO_THREADS, index, &left);
    MZ_FOR_EACH_THREAD(u, set & ~mz_threads_of(t->number))
    {
        causes[count++] = (mz_cause){u, index[u]};
    }
    return count;
}

/* What `to` does next comes after everything that `from` has done: its last event, and what that thread's
 * next one would come after. */
static void inherit_causes(mz__thread *to, const mz__thread *from, mz_threads *left)
{
    mz__add_cause(to, from->number, from->events);
    MZ_FOR_EACH_THREAD(u, from->caused_by)
    {
        if (from->cause_index[u] <= mz__w.threads[u].events) /* it may wait for its peer (pthread/peers.c) */
            mz__add_cause(to, u, from->cause_index[u]);
    }
    mz_threads joined = from->joined & *left;
    *left &= ~joined;
    MZ_FOR_EACH_THREAD(ended, joined)
    {
        inherit_causes(to, &mz__w.threads[ended], left);
    }
}

void mz__inherit_causes(mz__thread *to, const mz__thread *from)
{
    mz_threads left = MZ_ALL_THREADS;
    inherit_causes(to, from, &left);
}

/* Every other thread has ended, and the program itself orders all they did before what we do now. */
bool mz__alone(void)
{
    const mz__thread *me = mz__w.current;
    const mz_status *status = &mz__w.state.status;
    if (mz_threads_any((status->ready | status->blocked) & ~mz_threads_of(me->number)))
        return false; /* a thread leaves these sets when it has run and ended */
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++) {
        const mz__thread *other = &mz__w.threads[u];
        if (other != me && other->life != MZ__UNBORN &&
            (other->life != MZ__FINISHED || me->clock.of[u] < other->clock.of[u]))
            return false;
    }
    return true;
}

bool mz__unnoticed(void)
{
    bool wanted = mz__w.base.by_observation && mz__w.state.thread_count > 1;
    return !wanted && mz__alone();
}

void mz__wake(uint32_t thread)
{
    mz__w.woken[mz__w.woken_count++] = thread;
}
