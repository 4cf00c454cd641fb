/* Mutexes. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "base/hash.h"
#include "program/describe/failures.h"
#include "program/loops/spin.h"
#include "program/order/happens_before.h"
#include "program/order/held.h"
#include "program/pthread/attributes.h"
#include "program/pthread/endings.h"
#include "program/pthread/mutexes.h"
#include "program/pthread/sync.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/runtime/simple_sections.h"
#include "program/world/learning.h"
#include "program/world/object_states.h"
#include "program/world/world.h"

/* Whose mutex it was would find it gone. (What lies in memory that nobody has initialised is no owner.) */
static void check_not_held(const mz__mutex *mutex)
{
    uint32_t holder = (uint32_t)mutex->owner - 1;
    if (mz__w.report_misuse && holder < mz__w.state.thread_count && holder != mz__me() &&
        mz__w.threads[holder].life == MZ__ALIVE && mz__held_since(&mz__w.threads[holder], mutex))
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a mutex is initialised while thread %u holds it", holder);
}

MZ__HOOK(int, __wrap_pthread_mutex_init, mz__mutex *mutex, const pthread_mutexattr_t *attributes)
{
    mz__begin_change(mutex, sizeof *mutex, "pthread_mutex_init");
    check_not_held(mutex);
    mz__change_object(mutex, sizeof *mutex);
    int32_t bits = attributes ? *(const int32_t *)(const void *)attributes : 0;
    *mutex = (mz__mutex){.state = MZ__READY,
                         .kind = bits >> MZ__TYPE_BITS & 3,
                         .robust = bits >> MZ__ROBUST_BITS & 1 ? MZ__CONSISTENT : MZ__NOT_ROBUST};
    return 0;
}

/* How many threads are in a wait for a condition variable for which they have given up this mutex; the first
 * of them. They are until they have taken it again: POSIX says so, glibc counts so, and so it depends on what
 * happens to the mutex alone. (When the wait itself ends is not: a time limit or a signal says that.) */
static int32_t count_waiting_with(const mz__mutex *mutex, uint32_t *first)
{
    int32_t count = 0;
    for (uint32_t u = mz__w.state.thread_count; u-- > 0;) {
        const mz__thread *t = &mz__w.threads[u];
        if (t->life != MZ__ALIVE || t->cold.waits_with != (uintptr_t)mutex)
            continue;
        count++;
        *first = u;
    }
    return count;
}

/* What is undefined but for the C library, and nobody has asked about it: the program goes on as it does with
 * glibc. Only where all of that is known; otherwise a thread that fails stops (search/unasked.h). */
static bool goes_on(const mz__mutex *mutex)
{
    return !mz__w.report_misuse && !mutex->robust && mutex->state != MZ__DESTROYED;
}

/* glibc counts who uses it, and each unlock takes one off, whoever calls it. */
static bool is_busy(const mz__mutex *mutex)
{
    uint32_t first = 0;
    return (mutex->owner ? 1 : 0) + count_waiting_with(mutex, &first) != mutex->surplus;
}

static void check_unused(const mz__mutex *mutex)
{
    uint32_t first = 0;
    if (mutex->owner)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a mutex is destroyed while thread %d holds it",
                 mutex->owner - 1);
    if (count_waiting_with(mutex, &first) > 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "a mutex is destroyed while thread %u waits with it for a condition variable", first);
}

MZ__HOOK(int, __wrap_pthread_mutex_destroy, mz__mutex *mutex)
{
    mz__begin_change(mutex, sizeof *mutex, "pthread_mutex_destroy");
    mz__check_end(&mutex->state, "mutex");
    if (goes_on(mutex) && is_busy(mutex))
        return EBUSY;
    if (!goes_on(mutex))
        check_unused(mutex);
    mz__change_object(mutex, sizeof *mutex);
    mutex->state = MZ__DESTROYED;
    return 0;
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

/* A thread that waits for itself waits for ever, whoever comes: that is not only seen when nobody else is
 * left.
 */
static __attribute__((noinline)) void wait_for_oneself(const mz__mutex *mutex)
{
    mz_text place = {0};
    mz__add_held_since(mz__w.current, mutex, &place);
    char since[256];
    snprintf(since, sizeof since, "%s", mz_text_string(&place));
    mz_text_release(&place);
    mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "thread %u waits for ever for a mutex that it holds itself%s",
             mz__me(), since);
}

MZ__OPERATION(int, __wrap_pthread_mutex_lock, mz__mutex *mutex)
{
    uint32_t cell = MZ__OBJECT(mutex);
    int result;
    mz__check_made(&mutex->state, "mutex"); /* or it might wait for ever */
    if (lock_again(mutex, &result))
        return result;
    if (mutex->owner == mz__holder() && mz__w.report_misuse)
        wait_for_oneself(mutex);
    if (mz__has_simple_sections(cell) && mz__begin_simple_section(mutex, cell))
        return 0;
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_ACQUIRE : MZ_OP_LOCK;
    mz__pending *p = mz__on_object(kind, MZ__MUTEX_FREE, mutex, cell, "pthread_mutex_lock");
    mz__may_wait(p);
    mz__begin_operation(p, true);
    mz__check_mutex(mutex);
    mz__take_mutex(mutex, cell, true);
    if (MZ_UNLIKELY(mz__w.notes_sections))
        mz__note_locked(cell);
    return mutex->robust ? mz__took_robust(mutex) : 0;
}

static inline __attribute__((always_inline)) int try_mutex(mz__mutex *mutex, const char *verb)
{
    uint32_t cell = MZ__OBJECT(mutex);
    int result;
    if (lock_again(mutex, &result))
        return result == 0 ? 0 : EBUSY;
    mz__watch_mutex(cell);
    mz__pending *p = mz__on_object(MZ_OP_UPDATE, MZ__FREE, mutex, cell, verb);
    p->condition = MZ__MUTEX_FREE;
    mz__begin_operation(p, true);
    mz__check_mutex(mutex);
    if (mutex->owner) {
        mz__executed_as(MZ_OP_READ, false);
        mz__note_read((uintptr_t)&mutex->owner, sizeof mutex->owner);
        return EBUSY;
    }
    mz__take_mutex(mutex, cell, false);
    return mutex->robust ? mz__took_robust(mutex) : 0;
}

MZ__OPERATION(int, __wrap_pthread_mutex_trylock, mz__mutex *mutex)
{
    return try_mutex(mutex, "pthread_mutex_trylock");
}

int mz__try_mutex(mz__mutex *mutex, const char *verb)
{
    return try_mutex(mutex, verb);
}

/* A normal mutex is free then, whoever held it. */
static __attribute__((noinline)) int give_for_another(mz__mutex *mutex, uint32_t cell)
{
    mz__change_object(mutex, sizeof *mutex);
    if (!mutex->owner)
        mutex->surplus++;
    mutex->owner = 0;
    mutex->count = 0;
    if (mz__held_since(mz__w.current, mutex)) /* another one has unlocked it meanwhile */
        mz__stop_holding(mutex);
    mz__release(cell, false);
    return 0;
}

static __attribute__((noinline)) int unlock_for_another(mz__mutex *mutex)
{
    uint32_t cell = MZ__OBJECT(mutex);
    mz__watch_mutex(cell); /* it may become free without its holder's doing */
    mz__begin_operation(mz__on_object(MZ_OP_RELEASE, MZ__FREE, mutex, cell, "pthread_mutex_unlock"), false);
    mz__check_mutex(mutex);
    return give_for_another(mutex, cell);
}

/* A thread that does not hold the mutex does not hold it whatever others do, and changes nothing. But what it
 * is answered also depends on who has initialised or destroyed it. */
void mz__look_at_unheld(const mz__mutex *mutex, uint32_t cell, const char *verb)
{
    if (mz__w.cells[cell].watched) {
        mz__pending *p = mz__on_object(MZ_OP_READ, MZ__FREE, mutex, cell, verb);
        p->accesses[0].kind = MZ_READ;
        mz__begin_operation(p, false);
    }
    mz__check_mutex(mutex);
}

static __attribute__((noinline)) int unlock_unheld(mz__mutex *mutex, uint32_t cell)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL && goes_on(mutex))
        return unlock_for_another(mutex);
    mz__look_at_unheld(mutex, cell, "pthread_mutex_unlock");
    if (mutex->kind != PTHREAD_MUTEX_NORMAL)
        return EPERM;
    mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a mutex is unlocked by thread %u, which does not hold it",
             mz__me());
}

void mz__check_still_held(const mz__mutex *mutex)
{
    if (mutex->owner != mz__holder())
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "a mutex is unlocked by thread %u, which holds it no more: it was "
                 "initialised meanwhile",
                 mz__me());
}

MZ__OPERATION(int, __wrap_pthread_mutex_unlock, mz__mutex *mutex)
{
    uint32_t cell = MZ__OBJECT(mutex);
    if (mutex->owner != mz__holder())
        return unlock_unheld(mutex, cell);
    if (mutex->count > 1) {
        mz__change_object(mutex, sizeof *mutex);
        mutex->count--;
        return 0;
    }
    if (MZ_UNLIKELY(mz__w.current->simple == cell + 1)) {
        mz__end_simple_section(mutex, cell);
        return 0;
    }
    if (MZ_UNLIKELY(mz__w.notes_sections))
        mz__note_unlocked(cell);
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_RELEASE : MZ_OP_UNLOCK;
    mz__pending *p = mz__on_object(kind, MZ__FREE, mutex, cell, "pthread_mutex_unlock");
    mz__begin_operation(p, false);
    mz__check_mutex(mutex);
    if (MZ_UNLIKELY(mutex->owner != mz__holder()) && goes_on(mutex))
        return give_for_another(mutex, cell);
    mz__check_still_held(mutex);
    if (mutex->robust)
        mz__gives_robust(mutex);
    mz__give_mutex(mutex, cell);
    return 0;
}
