/* Deferred cancellation.
 *
 * That a thread is to end is a location of its own: pthread_cancel writes it, and every place where the
 * thread might end looks at it. Before anybody is cancelled, nobody else has touched that location, and
 * looking is local work; from then on it is known that threads are cancelled (mz__w.cancellation_used), and
 * waiting for a semaphore or a condition variable waits for two things: the object, and being cancelled.
 *
 * These are the places: all functions that POSIX says shall be cancellation points, as far as there are any
 * here. (Those that may be one, such as printf and fopen, are none; the verdict says so.) None of them but
 * waiting for a semaphore, a condition variable or the end of a thread takes time that others could notice:
 * that a thread is cancelled while it reads is the same as if that had happened just before. */
#include <errno.h>

#include "program/describe/failures.h"
#include "program/loops/overdue.h"
#include "program/loops/spin.h"
#include "program/pthread/endings.h"
#include "program/pthread/peers.h"
#include "program/runtime/accesses.h"
#include "program/runtime/guards.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/world/learning.h"
#include "program/world/progress.h"
#include "program/world/world.h"

/* A name for the location: nothing lives at the far end of a thread's stack. */
static uint32_t cell_of(uint32_t thread)
{
    uint32_t cell;
    mz__cells_of(MZ__STACK_BASE(thread), 1, true, &cell);
    return cell;
}

void mz__look_for_cancel(mz__pending *p)
{
    p->accesses[p->access_count++] = (mz_access){cell_of(mz__me()), MZ_READ};
}

void mz__obey_cancel(void)
{
    mz__cold_of(mz__w.current)->uncancellable = true;
    mz__exit_thread(PTHREAD_CANCELED);
}

void mz__test_cancel(const char *verb, bool polls)
{
    mz__goes_about(1);
    if (!mz__may_be_cancelled())
        return;
    const mz__registers caller = mz__caller; /* what follows may look for spinning, too */
    mz__pending *p = mz__prepare(mz__w.current, MZ_OP_READ, verb);
    p->address = MZ__STACK_BASE(mz__me());
    mz__look_for_cancel(p);
    p->own_count = 1;
    mz__announce(p, polls);
    mz__caller = caller;
    if (mz__is_cancelled(mz__w.current))
        mz__obey_cancel();
    mz__note_read((uintptr_t)&mz__w.current->cold.cancelled, sizeof(bool));
}

static void learn_that_it_is_used(void)
{
    mz__w.cancellation_used = mz__w.base.complex_blocking = true;
    mz__learned();
}

static bool waits_in_join(const mz__thread *t)
{
    return t->life == MZ__ALIVE && t != mz__w.current && t->pending.kind == MZ_OP_JOIN &&
           t->pending.guard == MZ__WOKEN;
}

/* A thread that joins has no operation meanwhile, so that the end of the other one need not be an event. From
 * now on it waits as others do, for the end or for being cancelled. */
static void learn_that_joins_end(void)
{
    mz__w.joins_cancelled = mz__w.ends_watched = true;
    mz__learned();
}

MZ__OPERATION(int, __wrap_pthread_cancel, pthread_t handle)
{
    mz__thread *t = mz__thread_of(handle);
    mz__tells_apart(t, "pthread_cancel");
    if (!mz__w.cancellation_used)
        learn_that_it_is_used();
    uint32_t cell = cell_of(t->number);
    mz__announce(
        mz__on_object(MZ_OP_WRITE, MZ__FREE, (void *)MZ__STACK_BASE(t->number), cell, "pthread_cancel"),
        false);
    if (waits_in_join(t) && !t->cold.uncancellable && !mz__w.joins_cancelled)
        learn_that_joins_end();
    mz__made_progress();
    mz__cold_of(t)->cancelled = true;
    return 0;
}

MZ__HOOK(void, __wrap_pthread_testcancel, void)
{
    mz__test_cancel("pthread_testcancel", true);
}

MZ__HOOK(int, __wrap_pthread_setcancelstate, int state, int *old)
{
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    mz__cold *cold = mz__cold_of(mz__w.current);
    if (old) {
        mz__plain_access((uintptr_t)old, sizeof *old, true);
        *old = cold->uncancellable ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    }
    if (cold->uncancellable != (state == PTHREAD_CANCEL_DISABLE))
        mz__made_progress();
    cold->uncancellable = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_setcanceltype, int type, int *old)
{
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
        mz__give_up(mz__caller.pc,
                    "asynchronous cancellation, which can end a thread anywhere, cannot be checked");
    if (type != PTHREAD_CANCEL_DEFERRED)
        return EINVAL;
    if (old) {
        mz__plain_access((uintptr_t)old, sizeof *old, true);
        *old = PTHREAD_CANCEL_DEFERRED;
    }
    return 0;
}
