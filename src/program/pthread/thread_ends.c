/* That a thread has ended. Joining is program order, and the end of a thread is no event. To ask whether it
 * has ended without waiting for it is one, and so is then the end: an operation on a location of its own. */
#include <pthread.h>

#include "program/describe/failures.h"
#include "program/order/happens_before.h"
#include "program/order/held.h"
#include "program/order/initialised.h"
#include "program/pthread/endings.h"
#include "program/pthread/lifecycle.h"
#include "program/pthread/peers.h"
#include "program/runtime/frames.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/runtime/simple_sections.h"
#include "program/world/causes.h"
#include "program/world/named_locations.h"
#include "program/world/turns.h"
#include "program/world/world.h"

mz__pending *mz__on_end(uint32_t thread, mz_operation_kind kind, const char *verb)
{
    uint32_t cell;
    mz__cells_of(mz__end_of(thread), 1, true, &cell);
    mz__pending *p = mz__on_object(kind, MZ__FREE, (const void *)mz__end_of(thread), cell, verb);
    p->accesses[0].kind = kind == MZ_OP_READ ? MZ_READ : MZ_READ | MZ_WRITE;
    p->order = kind == MZ_OP_READ ? MZ_ACQUIRE : MZ_RELEASE;
    return p;
}

void mz__announce_end(void)
{
    if (mz__w.ends_watched)
        mz__announce(mz__on_end(mz__me(), MZ_OP_WRITE, "the end of the thread"), false);
}

/* A thread that waits for the end of another one could go on at once. Main, joining its threads one after the
 * other, most often only goes on to the next join. So it is deferred until nobody else can go on. (Only main:
 * that another thread has ended is noticed by those who are then alone, see mz__alone().)
 *
 * That changes nothing as long as what it does then is local. Suppose it could do something that others
 * notice (an operation, a new thread, a choice) in some execution; take the first such thing. Up to there the
 * others have done what they do without it, and the search, which explores all of that, comes to a state
 * where it is deferred with the same local state, lets it go on in the end, and sees it do that. Then this
 * join is remembered as one after which threads go on at once, and the search begins again. */
static void end_join(uint32_t joiner)
{
    const mz__thread *t = &mz__w.threads[joiner];
    bool eager = joiner != 0 || mz__w.eager_join_count == MZ__EAGER_JOINS;
    for (size_t i = 0; i < mz__w.eager_join_count && !eager; i++)
        eager = mz__w.eager_joins[i] == t->pc;
    if (eager)
        mz__wake(joiner);
    else
        mz__w.state.deferred |= mz_threads_of(joiner); /* saved with the step */
}

static void finish(void)
{
    if (mz__w.stack_is_shared[mz__me()])
        mz__leave_shared_stack();
    mz__w.current->returned = true;
    if (mz__w.current->joiner)
        end_join(mz__w.current->joiner - 1);
    mz__stop(MZ__FINISHED);
}

void mz__finish_thread(void)
{
    mz__has_read_all();
    mz__thread *t = mz__w.current;
    mz__not_in_simple_section();
    mz__look_at_joins(t);
    if (t->section > 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "thread %u ends inside an atomic section", t->number);
    if (t->held_last)
        mz__warn_of_kept_locks();
    if (mz__w.stack_is_shared[t->number])
        mz__call_below_shared_words(finish);
    finish();
    __builtin_unreachable();
}

void mz__fail_without_thread(pthread_t handle)
{
    mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "there is no thread with the handle %lu", (unsigned long)handle);
}
