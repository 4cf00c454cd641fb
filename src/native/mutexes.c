/* Mutexes and condition variables. */
#include <errno.h>
#include <pthread.h>

#include "base/hash.h"
#include "native/schedule.h"
#include "native/sync.h"

/* ---- mutexes ------------------------------------------------------------------------------------------ */

MZ__HOOK(int, __wrap_pthread_mutex_init, mz__mutex *mutex, const pthread_mutexattr_t *attributes)
{
    mz__begin_change(mutex, sizeof *mutex, "pthread_mutex_init");
    mz__change_object(mutex, sizeof *mutex);
    *mutex = (mz__mutex){.kind = attributes ? *(const int32_t *)(const void *)attributes & 3 : 0};
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutex_destroy, mz__mutex *mutex)
{
    mz__begin_change(mutex, sizeof *mutex, "pthread_mutex_destroy");
    if (mz__is_running() && mutex->owner)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a mutex is destroyed while thread %d holds it",
                 mutex->owner - 1);
    mz__change_object(mutex, sizeof *mutex);
    mutex->destroyed = -1;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutexattr_init, int32_t *attributes)
{
    mz__touch(attributes, sizeof *attributes);
    *attributes = 0;
    return 0;
}

MZ__WITHOUT_EFFECT(pthread_mutexattr_destroy)

MZ__HOOK(int, __wrap_pthread_mutexattr_settype, int32_t *attributes, int kind)
{
    mz__touch(attributes, sizeof *attributes);
    *attributes = kind;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutexattr_gettype, const int32_t *attributes, int *kind)
{
    mz__touch(kind, sizeof *kind);
    *kind = *attributes;
    return 0;
}

static void check_mutex(const mz__mutex *mutex)
{
    if (mutex->destroyed)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a mutex is used after it was destroyed");
}

/* Taking and giving it again leaves nothing behind: that is no progress (spin.c), but the thread's state
 * meanwhile is another one. */
static void take_mutex(mz__mutex *mutex, uint32_t cell)
{
    mz__note_read((uintptr_t)&mutex->owner, sizeof mutex->owner);
    mz__touch(mutex, sizeof *mutex);
    mutex->owner = mz__holder();
    mutex->count = 1;
    mz__w.current->held += mz_mix64((uintptr_t)mutex);
    if (mz__w.cells[cell].watched)
        mz__made_progress();
    mz__acquire(cell);
}

static void give_mutex(mz__mutex *mutex, uint32_t cell)
{
    mz__touch(mutex, sizeof *mutex);
    mutex->owner = 0;
    mutex->count = 0;
    mz__w.current->held -= mz_mix64((uintptr_t)mutex);
    if (mz__w.cells[cell].watched)
        mz__made_progress();
    mz__release(cell, false);
}

/* Taking a mutex again that one holds is nobody else's business: no event. */
static bool lock_again(mz__mutex *mutex, int *result)
{
    if (mutex->owner != mz__holder())
        return false;
    if (mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
        mz__change_object(mutex, sizeof *mutex);
        mutex->count++;
        *result = 0;
        return true;
    }
    *result = EDEADLK;
    return mutex->kind == PTHREAD_MUTEX_ERRORCHECK;
}

MZ__OPERATION(int, __wrap_pthread_mutex_lock, mz__mutex *mutex)
{
    if (!mz__is_running())
        return 0;
    uint32_t cell = MZ__OBJECT(mutex);
    check_mutex(mutex);
    int result;
    if (lock_again(mutex, &result))
        return result;
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_ACQUIRE : MZ_OP_LOCK;
    mz__pending *p = mz__on_object(kind, MZ__MUTEX_FREE, mutex, cell, "pthread_mutex_lock");
    mz__begin_operation(p, true);
    check_mutex(mutex);
    take_mutex(mutex, cell);
    return 0;
}

MZ__OPERATION(int, __wrap_pthread_mutex_trylock, mz__mutex *mutex)
{
    if (!mz__is_running())
        return 0;
    uint32_t cell = MZ__OBJECT(mutex);
    check_mutex(mutex);
    int result;
    if (lock_again(mutex, &result))
        return result == 0 ? 0 : EBUSY;
    mz__watch_mutex(cell);
    mz__pending *p = mz__on_object(MZ_OP_UPDATE, MZ__FREE, mutex, cell, "pthread_mutex_trylock");
    p->condition = MZ__MUTEX_FREE;
    mz__begin_operation(p, true);
    check_mutex(mutex);
    if (mutex->owner) {
        mz__executed_as(MZ_OP_READ, false);
        mz__note_read((uintptr_t)&mutex->owner, sizeof mutex->owner);
        return EBUSY;
    }
    take_mutex(mutex, cell);
    return 0;
}

MZ__OPERATION(int, __wrap_pthread_mutex_unlock, mz__mutex *mutex)
{
    if (!mz__is_running())
        return 0;
    uint32_t cell = MZ__OBJECT(mutex);
    check_mutex(mutex);
    if (mutex->owner != mz__holder()) {
        if (mutex->kind != PTHREAD_MUTEX_NORMAL)
            return EPERM;
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a mutex is unlocked by thread %u, which does not hold it",
                 mz__me());
    }
    if (mutex->count > 1) {
        mz__change_object(mutex, sizeof *mutex);
        mutex->count--;
        return 0;
    }
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_RELEASE : MZ_OP_UNLOCK;
    mz__pending *p = mz__on_object(kind, MZ__FREE, mutex, cell, "pthread_mutex_unlock");
    mz__begin_operation(p, false);
    check_mutex(mutex);
    if (mutex->owner != mz__holder())
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "a mutex is unlocked by thread %u, which holds it no more: it was "
                 "initialised meanwhile",
                 mz__me());
    give_mutex(mutex, cell);
    return 0;
}

/* ---- condition variables --------------------------------------------------------------------------------
 *
 * A wait is two operations: giving up the mutex and joining those who wait, at once; and, after a signal has
 * picked the thread, taking the mutex again. In between it has no operation: the signal is the cause of the
 * second. Which of several waiting threads a signal picks is a choice. */

MZ__HOOK(int, __wrap_pthread_cond_init, pthread_cond_t *condition, const void *attributes)
{
    (void)attributes;
    mz__begin_change(condition, sizeof *condition, "pthread_cond_init");
    mz__change_object(condition, sizeof *condition);
    memset(condition, 0, sizeof *condition);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_cond_destroy, pthread_cond_t *condition)
{
    uint32_t who[MZ_MAX_THREADS];
    mz__begin_change(condition, sizeof *condition, "pthread_cond_destroy");
    if (mz__is_running() && mz__waiting_for((uintptr_t)condition, who) > 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "a condition variable is destroyed while thread %u waits for it", who[0]);
    return 0;
}

MZ__WITHOUT_EFFECT(pthread_condattr_init)
MZ__WITHOUT_EFFECT(pthread_condattr_destroy)

MZ__OPERATION(int, __wrap_pthread_cond_wait, pthread_cond_t *condition, mz__mutex *mutex)
{
    uint32_t cell = MZ__OBJECT(condition), mutex_cell = MZ__OBJECT(mutex);
    check_mutex(mutex);
    if (mutex->owner != mz__holder())
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "pthread_cond_wait with a mutex that thread %u does not hold",
                 mz__me());
    mz__pending *p = mz__on_object(MZ_OP_WAIT, MZ__FREE, condition, cell, "pthread_cond_wait");
    p->accesses[p->access_count++] = (mz_access){mutex_cell, MZ_READ | MZ_WRITE};
    mz__begin_operation(p, false);
    give_mutex(mutex, mutex_cell);
    mz__w.conditions_used = true;
    mz__rarely(mz__w.current)->waits_for = (uintptr_t)condition;
    mz__rarely(mz__w.current)->relocks = (uintptr_t)mutex;
    mz__plan(mz__w.current, MZ_OP_AWAIT, "pthread_cond_wait")->address = (uintptr_t)condition;
    mz__wait();
    take_mutex(mutex, mutex_cell);
    mz__made_progress();
    return 0;
}

/* From now on the thread only waits for its mutex. */
static void signal_thread(uint32_t number)
{
    mz__thread *t = &mz__w.threads[number];
    mz__mutex *mutex = (mz__mutex *)t->rare.relocks;
    uint32_t cell;
    mz__cells_of((uintptr_t)mutex, 1, true, &cell);
    mz__change_thread(t);
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_ACQUIRE : MZ_OP_LOCK;
    mz__plan_on_object(t, kind, MZ__MUTEX_FREE, mutex, cell, "pthread_cond_wait");
    mz__rarely(t)->waits_for = 0;
    mz__inherit_causes(t, mz__w.current); /* it is the mutex that orders what they do */
}

/* Apart, because what a hook has on its stack while it waits for its turn is saved at every step. */
static __attribute__((noinline)) void signal_threads(const pthread_cond_t *condition, bool all)
{
    uint32_t who[MZ_MAX_THREADS], count = mz__waiting_for((uintptr_t)condition, who);
    if (count > 0 && !all)
        signal_thread(who[mz__choose(0, count - 1)]);
    for (uint32_t i = 0; i < count && all; i++)
        signal_thread(who[i]);
}

MZ__OPERATION(int, __wrap_pthread_cond_signal, pthread_cond_t *condition)
{
    if (!mz__is_running())
        return 0;
    uint32_t cell = MZ__OBJECT(condition);
    mz__pending *p = mz__on_object(MZ_OP_SIGNAL, MZ__FREE, condition, cell, "pthread_cond_signal");
    mz__begin_operation(p, false);
    mz__made_progress();
    signal_threads(condition, false);
    return 0;
}

MZ__OPERATION(int, __wrap_pthread_cond_broadcast, pthread_cond_t *condition)
{
    if (!mz__is_running())
        return 0;
    uint32_t cell = MZ__OBJECT(condition);
    mz__pending *p = mz__on_object(MZ_OP_SIGNAL, MZ__FREE, condition, cell, "pthread_cond_broadcast");
    mz__begin_operation(p, false);
    mz__made_progress();
    signal_threads(condition, true);
    return 0;
}
