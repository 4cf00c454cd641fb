/* Threads that call mz_symmetric() say that nothing depends on which of them is which. Nobody can see that
 * from the outside: addresses of stacks and of memory that they allocate, what is kept under a number that
 * they were given, all that tells them apart, and may do so by way of numbers. So no thread has a peer that
 * has not said so. What is seen, is refused (mz__tells_apart, mz__look_at_joins).
 *
 * Of what peers have done only the beginning is compared: a thread waits for the first event of its peer, and
 * for no other one. At that moment all that they have done since their creation is local work of the same
 * function; besides, they are about to do the same operation on the same locations, were created by the same
 * thread with no event in between, and have neither chosen anything nor created threads. */
#include "program/pthread/peers.h"

#include <string.h>

#include "program/describe/failures.h"
#include "program/world/causes.h"

static bool is_told_apart(void)
{
    return (mz__w.base.relation & MZ_REFINES_SYMMETRY) && !mz__w.base.repeats && !mz__w.base.has_boundaries;
}

/* The event of its own peer does not count. */
static mz_threads causes_without_peer(const mz__thread *t)
{
    return t->cold.peer ? t->caused_by & ~mz_threads_of(t->cold.peer - 1) : t->caused_by;
}

static bool same_causes(const mz__thread *a, const mz__thread *b)
{
    mz_threads causes = causes_without_peer(a);
    MZ_FOR_EACH_THREAD(t, causes)
    {
        if (a->cause_index[t] != b->cause_index[t])
            return false;
    }
    return mz_threads_equal(causes, causes_without_peer(b)) && mz_threads_equal(a->joined, b->joined);
}

static bool same_operation(const mz__pending *p, const mz__pending *q)
{
    return p->kind == q->kind && p->guard == q->guard && p->condition == q->condition &&
           p->address == q->address && p->size == q->size && p->access_count == q->access_count &&
           memcmp(p->accesses, q->accesses, p->access_count * sizeof *p->accesses) == 0;
}

static bool is_at_its_first_event(const mz__thread *t)
{
    return t->life == MZ__ALIVE && t->events == 0 && t->cold.symmetric && t->cold.children == 0 &&
           t->cold.chosen == 0 && t->pending.guard != MZ__WOKEN && t->pending.kind != MZ_OP_ATOMIC;
}

static bool are_alike(const mz__thread *a, const mz__thread *b)
{
    return is_at_its_first_event(a) && is_at_its_first_event(b) && a->cold.start == b->cold.start &&
           mz__w.births[a->number].parent == mz__w.births[b->number].parent && same_causes(a, b) &&
           same_operation(&a->pending, &b->pending);
}

void mz__look_for_peer(mz__thread *t)
{
    if (!t->cold.symmetric || t->cold.peer || !is_told_apart())
        return;
    for (uint32_t u = t->number; u-- > 0;) {
        mz__thread *first = &mz__w.threads[u];
        if (!are_alike(first, t))
            continue;
        if (!first->cold.group)
            mz__cold_of(first)->group = u + 1;
        mz__cold *cold = mz__cold_of(t);
        cold->peer = u + 1;
        cold->group = first->cold.group;
        mz__add_cause(t, u, 1);
        mz__w.base.refined |= MZ_REFINES_SYMMETRY;
        return;
    }
}

void mz__tells_apart(const mz__thread *t, const char *verb)
{
    if (MZ_UNLIKELY(t->cold.group))
        mz__give_up(mz__caller.pc,
                    "%s asks which thread %u is, which has called mz_symmetric(): with "
                    "--relation=-symmetry it may",
                    verb, t->number);
}

void mz__look_at_joins(const mz__thread *t)
{
    MZ_FOR_EACH_THREAD(ended, t->joined)
    {
        uint32_t group = mz__w.threads[ended].cold.group;
        for (uint32_t u = 0; u < mz__w.state.thread_count && group; u++)
            if (mz__w.threads[u].cold.group == group && !mz_threads_has(mz__w.state.joined, u))
                mz__give_up(
                    0,
                    "thread %u goes on after it has joined thread %u and before it has joined thread %u, "
                    "which have called mz_symmetric(): with --relation=-symmetry it may",
                    t->number, ended, u);
    }
}
