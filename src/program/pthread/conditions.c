/* Condition variables.
 *
 * A wait is two operations: giving up the mutex and joining those who wait, at once; and, after a signal has
 * picked the thread, taking the mutex again. In between it has no operation: the signal is the cause of the
 * second. Which of several waiting threads a signal picks is a choice. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "base/hash.h"
#include "program/describe/failures.h"
#include "program/loops/spin.h"
#include "program/pthread/condition_use.h"
#include "program/pthread/endings.h"
#include "program/pthread/mutexes.h"
#include "program/pthread/timed.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/choices.h"
#include "program/runtime/classes.h"
#include "program/runtime/guards.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/runtime/orders.h"
#include "program/runtime/waits.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/noted_premises.h"
#include "program/world/object_states.h"
#include "program/world/progress.h"
#include "program/world/turns.h"
#include "program/world/world.h"

MZ__HOOK(int, __wrap_pthread_cond_init, mz__condition *condition, const void *attributes)
{
    (void)attributes;
    mz__begin_change(condition, sizeof *condition, "pthread_cond_init");
    mz__change_object(condition, sizeof *condition);
    *condition = (mz__condition){.state = MZ__READY};
    return 0;
}

MZ__HOOK(int, __wrap_pthread_cond_destroy, mz__condition *condition)
{
    uint32_t who[MZ_MAX_THREADS];
    mz__begin_change(condition, sizeof *condition, "pthread_cond_destroy");
    mz__check_end(&condition->state, "condition variable");
    if (mz__waiting_for((uintptr_t)condition, who) > 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "a condition variable is destroyed while thread %u waits for it", who[0]);
    mz__change_object(condition, sizeof *condition);
    condition->state = MZ__DESTROYED;
    return 0;
}

static inline void check_condition(const mz__condition *condition)
{
    mz__check_object(&condition->state, "condition variable");
}

/* With which mutex do others wait at the same time? (Apart: see signal_threads().) */
static __attribute__((noinline)) void check_same_mutex(const mz__condition *condition, const mz__mutex *mutex)
{
    uint32_t who[MZ_MAX_THREADS], count = mz__waiting_for((uintptr_t)condition, who);
    for (uint32_t i = 0; i < count; i++)
        if (mz__w.threads[who[i]].cold.waits_with != (uintptr_t)mutex)
            mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                     "thread %u waits for a condition variable with another mutex than thread %u", mz__me(),
                     who[i]);
}

static inline __attribute__((always_inline)) void begin_waiting(mz__condition *condition, uint32_t cell,
                                                                mz__mutex *mutex, uint32_t mutex_cell,
                                                                const char *verb)
{
    if (mutex->owner != mz__holder()) {
        mz__look_at_unheld(mutex, mutex_cell, verb);
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "%s with a mutex that thread %u does not hold", verb, mz__me());
    }
    if (mutex->count > 1) /* the C library gives back one of them: nobody else could ever take it */
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "%s with a mutex that thread %u has locked %u times", verb,
                 mz__me(), mutex->count);
    if (mz__has_simple_sections(mutex_cell)) /* it may have been locked while there was one thread only */
        mz__is_not_simple(mutex_cell);
    if (mz__w.cells[mutex_cell].watched) /* under weak memory there is no event for both objects then */
        mz__goes_beyond_weak("waiting for a condition variable with a mutex that is also tried");
    mz__pending *p = mz__on_object(MZ_OP_WAIT, MZ__FREE, condition, cell, verb);
    p->accesses[p->access_count++] = (mz_access){mutex_cell, MZ_READ | MZ_WRITE};
    mz__begin_operation(p, false);
    check_condition(condition);
    mz__check_mutex(mutex);
    mz__check_still_held(mutex);
    check_same_mutex(condition, mutex);
    if (mutex->robust)
        mz__gives_robust(mutex);
    mz__give_mutex(mutex, mutex_cell);
    mz__w.conditions_used = true;
    mz__count_varies(mz__w.current);
    mz__cold *cold = mz__cold_of(mz__w.current);
    cold->waits_for = (uintptr_t)condition;
    cold->waits_with = (uintptr_t)mutex;
}

/* With a time limit it is three operations: between the two it stops waiting, because it was signalled or the
 * time is up, whichever has happened by then. That may be at any time, so this one can always happen, and it
 * races with every signal. (If the second operation were put into the signalled thread by the signal, as it
 * is without a time limit, nothing would tell the search that the time could have been up before.)
 *
 * A loop that waits again when the time is up and has changed nothing is a loop without effect (spin.c). Its
 * rounds can be left out of an execution, unless a signal came while the thread was not waiting for one: so
 * after the first round there is another one only after something that it looks at has changed, the number of
 * signals included. The mutex belongs to that, because the data change under it; who holds it does not.
 *
 * A thread that may be cancelled stops waiting in the same way, when it was signalled or is to end.
 *
 * With --spurious a wait may also end by itself, once in a thread: more would be loops without end. It is
 * decided by a choice before the wait, because there must be executions in which it does not: those with the
 * deadlocks. An execution in which it was to and a signal comes first is one of those, and not followed. */
typedef enum waking { BY_CANCEL, BY_TIME, BY_ITSELF } waking;

static bool wakes_by_itself(void)
{
    mz__thread *t = mz__w.current;
    return mz__w.spurious && !t->cold.woke_by_itself && mz__choose(0, 1) == 1;
}

static bool compares_states(void)
{
    return mz__w.base.has_boundaries || mz__w.base.is_fingerprinted;
}

static int wait_with(waking how, mz__condition *condition, mz__mutex *mutex, const char *verb)
{
    mz__guard guard = how == BY_CANCEL ? MZ__SIGNAL_OR_CANCEL : MZ__FREE;
    mz__test_cancel(verb, false);
    if (!mz__w.limited_waits && (compares_states() || mz__has_classes()))
        mz__learned(); /* signals were not counted, or taken for reads */
    mz__w.limited_waits = true;
    const mz__registers caller = mz__caller; /* others call hooks while it waits */
    uint32_t cell = MZ__OBJECT(condition), mutex_cell = MZ__OBJECT(mutex);
    begin_waiting(condition, cell, mutex, mutex_cell, verb);
    mz__cold *cold = mz__cold_of(mz__w.current);
    cold->relocks = 0;
    mz__caller = caller;
    mz__pending *p =
        mz__on_object(guard == MZ__FREE ? MZ_OP_UPDATE : MZ_OP_AWAIT, guard, condition, cell, verb);
    if (mz__may_be_cancelled())
        mz__look_for_cancel(p);
    else
        p->condition = MZ__UNSIGNALLED;
    mz__begin_operation(p, guard == MZ__FREE);
    bool signalled = !cold->waits_for, cancelled = !signalled && mz__is_cancelled(mz__w.current);
    mz__note_read((uintptr_t)&condition->signals, sizeof condition->signals);
    if (signalled && p->condition != MZ__FREE)
        mz__executed_as(MZ_OP_READ, false);
    else
        mz__cold_of(mz__w.current)->waits_for = 0;
    if (signalled && how == BY_ITSELF)
        mz__prune();
    mz_operation_kind kind = mz__w.cells[mutex_cell].watched ? MZ_OP_ACQUIRE : MZ_OP_LOCK;
    mz__begin_operation(mz__on_object(kind, MZ__MUTEX_FREE, mutex, mutex_cell, verb), false);
    mz__note_read((uintptr_t)mutex, 0);
    mz__check_mutex(mutex);
    mz__take_unnoted(mutex, mutex_cell, true);
    mz__cold_of(mz__w.current)->waits_with = 0;
    if (signalled || how == BY_ITSELF) /* that it may do so only once is progress, too */
        mz__made_progress();
    int result = mutex->robust ? mz__took_robust(mutex) : 0;
    if (cancelled)
        mz__obey_cancel();
    return result != 0 ? result : signalled || how == BY_ITSELF ? 0 : ETIMEDOUT;
}

static int wake_by_itself(mz__condition *condition, mz__mutex *mutex, const char *verb)
{
    mz__cold_of(mz__w.current)->woke_by_itself = true;
    return wait_with(BY_ITSELF, condition, mutex, verb);
}

MZ__OPERATION(int, __wrap_pthread_cond_wait, mz__condition *condition, mz__mutex *mutex)
{
    if (wakes_by_itself())
        return wake_by_itself(condition, mutex, "pthread_cond_wait");
    if (mz__may_be_cancelled())
        return wait_with(BY_CANCEL, condition, mutex, "pthread_cond_wait");
    mz__note_caller(); /* others call hooks while it waits */
    uint32_t cell = MZ__OBJECT(condition), mutex_cell = MZ__OBJECT(mutex);
    mz__note_wait(condition, mutex);
    begin_waiting(condition, cell, mutex, mutex_cell, "pthread_cond_wait");
    mz__cold_of(mz__w.current)->relocks = (uintptr_t)mutex;
    mz__pending *p = mz__prepare(mz__w.current, MZ_OP_AWAIT, "pthread_cond_wait");
    p->address = (uintptr_t)condition;
    p->resumable = true;
    mz__count(mz__w.current); /* the second operation */
    mz__wait();
    mz__check_mutex(mutex);
    mz__take_mutex(mutex, mutex_cell, true);
    mz__cold_of(mz__w.current)->waits_with = 0;
    mz__made_progress();
    return mutex->robust ? mz__took_robust(mutex) : 0;
}

int mz__wait_with_limit(mz__condition *condition, mz__mutex *mutex, const char *verb)
{
    if (wakes_by_itself())
        return wake_by_itself(condition, mutex, verb);
    return wait_with(BY_TIME, condition, mutex, verb);
}

/* From now on the thread only waits for its mutex. */
static void signal_thread(uint32_t number)
{
    mz__thread *t = &mz__w.threads[number];
    mz__mutex *mutex = (mz__mutex *)t->cold.relocks;
    uint32_t cell;
    mz__change_thread(t);
    if (!mutex) { /* it will see that it was signalled */
        mz__cold_of(t)->waits_for = 0;
        return;
    }
    mz__cells_of((uintptr_t)mutex, 1, true, &cell);
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_ACQUIRE : MZ_OP_LOCK;
    mz__prepare_on_object(t, kind, MZ__MUTEX_FREE, mutex, cell, "pthread_cond_wait")->counted = true;
    mz__cold_of(t)->waits_for = 0;
    mz__inherit_causes(t, mz__w.current); /* it is the mutex that orders what they do */
    mz__begins_to_wait_after(t, mz__w.current);
}

/* A signal that finds nobody waiting changes nothing: it is a read of who waits, and commutes with others
 * that find nobody. Not so where signals are counted for loops with a time limit; nor under weak memory,
 * where nobody keeps who waited when. */
static bool may_wake_nobody(void)
{
    return mz__has_classes() && !mz__w.limited_waits && !mz__w.base.weak;
}

static __attribute__((noinline)) void wakes_nobody(void)
{
    mz__w.base.refined |= MZ_REFINES_CLASSES;
    mz__executed_as(MZ_OP_READ, false);
}

/* Apart, because what a hook has on its stack while it waits for its turn is saved at every step. */
static __attribute__((noinline)) void signal_threads(mz__condition *condition, bool all)
{
    if (mz__w.limited_waits || !compares_states()) { /* it would be another state each time */
        mz__touch(&condition->signals, sizeof condition->signals);
        condition->signals++; /* see mz__wait_with_limit() */
    }
    uint32_t who[MZ_MAX_THREADS], count = mz__waiting_for((uintptr_t)condition, who);
    if (count == 0 && mz__w.current->pending.condition == MZ__WAITED_FOR)
        wakes_nobody();
    if (count > 0 && !all) {
        mz__w.picked = who[mz__choose(0, count - 1)];
        mz__w.chose_pick = count > 1;
        signal_thread(mz__w.picked);
    }
    for (uint32_t i = 0; i < count && all; i++)
        signal_thread(who[i]);
}

static inline __attribute__((always_inline)) int signal_condition(mz__condition *condition, bool all,
                                                                  const char *verb)
{
    uint32_t cell = MZ__OBJECT(condition);
    mz__pending *p = mz__on_object(MZ_OP_SIGNAL, MZ__FREE, condition, cell, verb);
    p->condition = may_wake_nobody() ? MZ__WAITED_FOR : MZ__FREE;
    mz__begin_operation(p, false);
    check_condition(condition);
    mz__made_progress();
    mz__note_signal(condition);
    signal_threads(condition, all);
    return 0;
}

MZ__OPERATION(int, __wrap_pthread_cond_signal, mz__condition *condition)
{
    return signal_condition(condition, false, "pthread_cond_signal");
}

MZ__OPERATION(int, __wrap_pthread_cond_broadcast, mz__condition *condition)
{
    return signal_condition(condition, true, "pthread_cond_broadcast");
}
