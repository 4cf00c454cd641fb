/* Threads that wait for work, and constraints that come from them.
 *
 * e waits for f, or for the end of the iteration of f's thread. That thread may sleep at a condition
 * variable, for as long as nobody has work for it, perhaps because those who have wait for e. So if nobody
 * can go on any more, but somebody is held by a constraint, then the iteration of all who sleep is over: as
 * far as constraints are concerned, and for good, whatever they do in it when they are signalled after that.
 * No edge from them holds until the next boundary.
 *
 * Such a moment is a function of what has happened, not of its order: nobody can go on after exactly these
 * events. Before e can happen so, all of them have: they are its causes, as those of a join are. Whoever
 * goes on later comes after one of those that were held: it waits for a lock, a signal, the end of a thread
 * or the boundary, which only these lead to.
 *
 * The runtime knows of those who sleep, who join, who are at the boundary or outside, and who are held (safe/
 * runtime/runtime_boundary.c). If a thread waits otherwise, it would not see that nobody can go on: then it
 * is not so here either, and an execution that gets stuck is none that was verified. */
#include "safe/plan/constrained_internal.h"

#include <string.h>

static bool sleeps(const constrained *c, uint32_t thread)
{
    mz_name name = {0};
    if (c->inner->class->name_pending)
        c->inner->class->name_pending(c->inner, thread, &name);
    return name.sleeps;
}

static bool joins(const constrained *c, uint32_t thread)
{
    mz_operation operation;
    c->inner->class->pending(c->inner, thread, &operation);
    return operation.kind == MZ_OP_JOIN;
}

bool mz_constrained_is_quiet(constrained *c)
{
    progress *now = c->now;
    const mz_status *status = c->inner->status;
    mz_threads asleep = MZ_NO_THREADS;
    if (!c->inner->has_boundaries || mz_threads_any(status->spinning | status->failed | status->pruned) ||
        mz_threads_any(status->ready & ~now->held))
        return false;
    MZ_FOR_EACH_THREAD(u, status->blocked & ~status->at_boundary)
    {
        if (sleeps(c, u))
            asleep |= mz_threads_of(u);
        else if (!mz_threads_has(now->held, u) && !joins(c, u))
            return false;
    }
    if (!mz_threads_any(asleep & ~now->over) || !mz_threads_any(now->held & ~asleep))
        return false;
    now->over |= asleep;
    memcpy(now->before, now->events, sizeof now->before);
    return true;
}
