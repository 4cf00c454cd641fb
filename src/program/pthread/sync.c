/* Semaphores, read-write locks, spin locks, once. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "program/describe/failures.h"
#include "program/describe/warnings.h"
#include "program/loops/spin.h"
#include "program/order/happens_before.h"
#include "program/order/held.h"
#include "program/order/lock_callers.h"
#include "program/order/special_words.h"
#include "program/pthread/attributes.h"
#include "program/pthread/endings.h"
#include "program/pthread/sync.h"
#include "program/runtime/accesses.h"
#include "program/runtime/boundary/loop_boundary.h"
#include "program/runtime/classes.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/guards.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/object_states.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* ---- semaphores -----------------------------------------------------------------------------------------
 */

/* A post beyond the most that there can be fails, and does not commute with the one that was the last to
 * succeed. From the middle on that would take more posts than an execution can have. */
void mz__note_first_value(uint32_t value)
{
    if (value <= SEM_VALUE_MAX / 2 || mz__w.near_limit)
        return;
    mz__w.near_limit = true;
    mz__learned();
}

MZ__HOOK(int, __wrap_sem_init, uint32_t *semaphore, int shared, unsigned value)
{
    (void)shared;
    mz__begin_change(semaphore, sizeof(sem_t), "sem_init");
    if (value > SEM_VALUE_MAX) {
        errno = EINVAL;
        return -1;
    }
    mz__change_object(semaphore, 2 * sizeof *semaphore);
    *semaphore = value;
    *mz__semaphore_state(semaphore) = MZ__READY;
    mz__note_first_value(value);
    return 0;
}

static inline uint32_t semaphore_cell(uint32_t *semaphore)
{
    uint32_t cell = MZ__OBJECT((uint64_t *)(void *)semaphore);
    mz__check_made(mz__semaphore_state(semaphore), "semaphore");
    return cell;
}

/* When the operation happens (see check_mutex()). */
static inline void check_semaphore(uint32_t *semaphore)
{
    mz__check_object(mz__semaphore_state(semaphore), "semaphore");
}

/* Whether somebody waits is not asked here: that would depend on what he has done before, and that is no
 * event of the semaphore. Who waits is let go on, and finds that it is gone (guards.c). */
MZ__HOOK(int, __wrap_sem_destroy, uint32_t *semaphore)
{
    mz__begin_change(semaphore, sizeof(uint64_t), "sem_destroy");
    mz__check_end(mz__semaphore_state(semaphore), "semaphore");
    if (mz__w.report_misuse) { /* otherwise it goes on as with glibc, which does nothing */
        mz__change_object(semaphore, 2 * sizeof *semaphore);
        *mz__semaphore_state(semaphore) = MZ__DESTROYED;
    }
    return 0;
}

MZ__OPERATION(int, __wrap_sem_wait, uint32_t *semaphore)
{
    uint32_t cell = semaphore_cell(semaphore);
    mz__pending *p = mz__on_object(MZ_OP_ACQUIRE, MZ__POSITIVE, semaphore, cell, "sem_wait");
    if (mz__may_be_cancelled()) {
        p->guard = MZ__SEMAPHORE_OR_CANCEL;
        mz__look_for_cancel(p);
    } else {
        mz__may_wait(p);
    }
    mz__begin_operation(p, false);
    if (mz__may_be_cancelled() && mz__is_cancelled(mz__w.current))
        mz__obey_cancel();
    check_semaphore(semaphore);
    mz__change_object(semaphore, sizeof *semaphore);
    --*semaphore;
    mz__acquire(cell);
    return 0;
}

bool mz__try_semaphore(uint32_t *semaphore, const char *verb)
{
    uint32_t cell = semaphore_cell(semaphore);
    mz__pending *p = mz__on_object(MZ_OP_UPDATE, MZ__FREE, semaphore, cell, verb);
    p->condition = MZ__POSITIVE;
    mz__begin_operation(p, true);
    check_semaphore(semaphore);
    if (*semaphore == 0) {
        mz__executed_as(MZ_OP_READ, false);
        mz__note_read((uintptr_t)semaphore, sizeof *semaphore);
        return false;
    }
    mz__change_object(semaphore, sizeof *semaphore);
    --*semaphore;
    mz__acquire(cell);
    return true;
}

MZ__OPERATION(int, __wrap_sem_trywait, uint32_t *semaphore)
{
    if (mz__try_semaphore(semaphore, "sem_trywait"))
        return 0;
    errno = EAGAIN;
    return -1;
}

MZ__OPERATION(int, __wrap_sem_post, uint32_t *semaphore)
{
    uint32_t cell = semaphore_cell(semaphore);
    mz__pending *p = mz__on_object(MZ_OP_RELEASE, MZ__FREE, semaphore, cell, "sem_post");
    p->accesses[0].kind |= mz__w.near_limit ? 0 : mz__class(MZ__POSTS);
    mz__begin_operation(p, false);
    check_semaphore(semaphore);
    if (*semaphore == SEM_VALUE_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    mz__change_object(semaphore, sizeof *semaphore);
    ++*semaphore;
    mz__note_post(semaphore);
    mz__release(cell, true);
    return 0;
}

MZ__HOOK(int, __wrap_sem_getvalue, uint32_t *semaphore, int *value)
{
    uint32_t cell = semaphore_cell(semaphore);
    mz__pending *p = mz__on_object(MZ_OP_READ, MZ__FREE, semaphore, cell, "sem_getvalue");
    p->accesses[0].kind = MZ_READ;
    p->order = MZ_RELAXED;
    mz__begin_operation(p, true);
    check_semaphore(semaphore);
    mz__note_read((uintptr_t)semaphore, sizeof *semaphore);
    mz__write_memory(value, &(int){(int)*semaphore}, sizeof *value);
    return 0;
}

/* ---- read-write locks ------------------------------------------------------------------------------------
 *
 * What readers publish is acquired by writers only: two readers are not ordered by their lock.
 *
 * Readers come in while a writer waits, as the C library has it, unless the lock is of the kind that prefers
 * writers. Then it matters who waits: a writer first says that it wants to, which is an operation of its own,
 * and from then on nobody comes in to read, not even one who reads already and would have to give that up
 * first. (Between that and taking a lock that is free nobody can tell that it is not taken yet.) */

MZ__HOOK(int, __wrap_pthread_rwlock_init, mz__rwlock *lock, const uint32_t *attributes)
{
    uint32_t kind = 0;
    if (attributes) {
        mz__plain_access((uintptr_t)attributes, sizeof *attributes, false);
        kind = *attributes >> MZ__TYPE_BITS & MZ__ATTRIBUTE;
    }
    mz__begin_change(lock, sizeof *lock, "pthread_rwlock_init");
    mz__change_object(lock, sizeof *lock);
    *lock = (mz__rwlock){.state = MZ__READY, .kind = (int32_t)kind};
    return 0;
}

MZ__HOOK(int, __wrap_pthread_rwlock_destroy, mz__rwlock *lock)
{
    mz__begin_change(lock, sizeof *lock, "pthread_rwlock_destroy");
    mz__check_end(&lock->state, "read-write lock");
    if (lock->writer)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a read-write lock is destroyed while thread %u holds it",
                 lock->writer - 1);
    if (lock->readers)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a read-write lock is destroyed while it has %u reader%s",
                 lock->readers, lock->readers == 1 ? "" : "s");
    mz__change_object(lock, sizeof *lock);
    lock->state = MZ__DESTROYED;
    return 0;
}

static inline void check_rwlock(const mz__rwlock *lock)
{
    mz__check_object(&lock->state, "read-write lock");
}

/* What it would wait for for ever, the library refuses. */
static int refuse_rwlock(const char *verb)
{
    if (mz__is_new_warning(MZ_WARN_REFUSED, mz__caller.pc, 0))
        mz__warn(MZ_WARN_REFUSED, mz__caller.pc, "%s of a lock that thread %u holds itself returns EDEADLK",
                 verb, mz__me());
    return EDEADLK;
}

/* Another lock of the same name might not have let it in. */
static void note_passing(const mz__rwlock *lock)
{
    for (uint32_t u = 0; u < mz__w.state.thread_count && lock->readers > 0 && !mz__w.writers_passed; u++) {
        const mz__thread *t = &mz__w.threads[u];
        mz__w.writers_passed =
            t->life == MZ__ALIVE && t->pending.guard == MZ__WRITABLE && t->pending.address == (uintptr_t)lock;
    }
}

static void begin_reading(mz__rwlock *lock, uint32_t cell, bool waited)
{
    check_rwlock(lock);
    note_passing(lock);
    mz__change_object(lock, sizeof *lock);
    lock->readers++;
    mz__now_holds(lock, true, waited);
    mz__acquire(cell);
}

static void begin_writing(mz__rwlock *lock, uint32_t cell, bool waited)
{
    check_rwlock(lock);
    mz__change_object(lock, sizeof *lock);
    lock->writer = (uint32_t)mz__holder();
    mz__now_holds(lock, false, waited);
    mz__acquire(cell);
    mz__acquire(MZ__MOST_CELLS + cell);
}

MZ__OPERATION(int, __wrap_pthread_rwlock_rdlock, mz__rwlock *lock)
{
    uint32_t cell = MZ__OBJECT(lock);
    mz__check_made(&lock->state, "read-write lock");
    if (lock->writer == (uint32_t)mz__holder())
        return refuse_rwlock("pthread_rwlock_rdlock");
    mz__pending *p = mz__on_object(MZ_OP_ACQUIRE, MZ__READABLE, lock, cell, "pthread_rwlock_rdlock");
    p->accesses[0].kind |= mz__class(MZ__READERS);
    mz__may_wait(p);
    mz__begin_operation(p, false);
    begin_reading(lock, cell, true);
    return 0;
}

/* It waits to write, if there anybody is to notice that. */
static void announce_writing(mz__rwlock *lock, uint32_t cell, const char *verb)
{
    if (!mz__prefers_writers(lock))
        return;
    const mz__registers caller = mz__caller;
    mz__begin_uncounted(mz__on_object(MZ_OP_UPDATE, MZ__FREE, lock, cell, verb), false);
    mz__caller = caller;
    check_rwlock(lock);
    mz__change_object(lock, sizeof *lock);
    lock->waiting++;
}

/* It has the lock, or has given up. */
static void end_waiting(mz__rwlock *lock)
{
    if (!mz__prefers_writers(lock))
        return;
    mz__change_object(lock, sizeof *lock);
    lock->waiting--;
}

MZ__OPERATION(int, __wrap_pthread_rwlock_wrlock, mz__rwlock *lock)
{
    uint32_t cell = MZ__OBJECT(lock);
    mz__check_made(&lock->state, "read-write lock");
    if (lock->writer == (uint32_t)mz__holder())
        return refuse_rwlock("pthread_rwlock_wrlock");
    announce_writing(lock, cell, "pthread_rwlock_wrlock");
    mz__pending *p = mz__on_object(MZ_OP_ACQUIRE, MZ__WRITABLE, lock, cell, "pthread_rwlock_wrlock");
    mz__w.base.crowd_blocking = true;
    mz__may_wait(p);
    mz__begin_operation(p, false);
    begin_writing(lock, cell, true);
    end_waiting(lock);
    return 0;
}

bool mz__try_rwlock(mz__rwlock *lock, bool writes, const char *verb)
{
    uint32_t cell = MZ__OBJECT(lock);
    mz__pending *p = mz__on_object(MZ_OP_UPDATE, MZ__FREE, lock, cell, verb);
    p->condition = writes ? MZ__WRITABLE : MZ__READABLE;
    mz__begin_operation(p, true);
    check_rwlock(lock);
    if (writes ? !mz__is_writable(lock) : !mz__is_readable(lock)) {
        mz__executed_as(MZ_OP_READ, false);
        mz__note_read((uintptr_t)lock, sizeof *lock);
        return false;
    }
    if (writes)
        begin_writing(lock, cell, false);
    else
        begin_reading(lock, cell, false);
    return true;
}

/* It takes the lock, or its time is up; in between, others let it pass. Where it was the last one to wait,
 * its giving up is noticed. */
bool mz__write_with_limit(mz__rwlock *lock, const char *verb)
{
    if (!mz__prefers_writers(lock))
        return mz__try_rwlock(lock, true, verb);
    uint32_t cell = MZ__OBJECT(lock);
    announce_writing(lock, cell, verb);
    mz__begin_operation(mz__on_object(MZ_OP_UPDATE, MZ__FREE, lock, cell, verb), false);
    check_rwlock(lock);
    bool taken = mz__is_writable(lock);
    if (taken)
        begin_writing(lock, cell, false);
    end_waiting(lock);
    return taken;
}

MZ__OPERATION(int, __wrap_pthread_rwlock_tryrdlock, mz__rwlock *lock)
{
    return mz__try_rwlock(lock, false, "pthread_rwlock_tryrdlock") ? 0 : EBUSY;
}

MZ__OPERATION(int, __wrap_pthread_rwlock_trywrlock, mz__rwlock *lock)
{
    return mz__try_rwlock(lock, true, "pthread_rwlock_trywrlock") ? 0 : EBUSY;
}

MZ__OPERATION(int, __wrap_pthread_rwlock_unlock, mz__rwlock *lock)
{
    uint32_t cell = MZ__OBJECT(lock);
    mz__pending *p = mz__on_object(MZ_OP_RELEASE, MZ__FREE, lock, cell, "pthread_rwlock_unlock");
    bool writes = lock->writer == (uint32_t)mz__holder(), holds = mz__held_since(mz__w.current, lock);
    p->shares = holds && !writes; /* both are its own doing */
    p->accesses[0].kind |= p->shares ? mz__class(MZ__READERS) : 0;
    mz__begin_operation(p, false);
    check_rwlock(lock);
    if (!writes && !holds)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "a read-write lock is unlocked by thread %u, which does not hold it", mz__me());
    mz__change_object(lock, sizeof *lock);
    mz__no_longer_holds(lock);
    if (writes)
        lock->writer = 0;
    else
        lock->readers--;
    mz__release(writes ? cell : MZ__MOST_CELLS + cell, !writes);
    return 0;
}

/* ---- spin locks -------------------------------------------------------------------------------------------
 */

MZ__HOOK(int, __wrap_pthread_spin_init, int32_t *lock, int shared)
{
    (void)shared;
    mz__begin_change(lock, sizeof *lock, "pthread_spin_init");
    mz__change_object(lock, sizeof *lock);
    *lock = 0;
    if ((uintptr_t)lock - MZ__ARENA < MZ__HEAPS)
        mz__object_is_set((uintptr_t)lock);
    return 0;
}

/* It has no room for more than its holder, or that it was destroyed. */
static void check_spin_lock(const int32_t *lock)
{
    bool is_one = *lock >= 0 && *lock <= MZ_MAX_THREADS;
    if (!is_one || (*lock == 0 && (uintptr_t)lock - MZ__ARENA < MZ__HEAPS))
        mz__look_at_object(lock, "spin lock");
}

/* Before the operation happens (see check_mutex()). */
static void check_spin_lock_made(const int32_t *lock)
{
    if (*lock != MZ__DESTROYED)
        check_spin_lock(lock);
}

MZ__HOOK(int, __wrap_pthread_spin_destroy, int32_t *lock)
{
    mz__begin_change(lock, sizeof *lock, "pthread_spin_destroy");
    if (*lock == MZ__DESTROYED)
        mz__check_end(lock, "spin lock");
    check_spin_lock(lock);
    if (*lock)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a spin lock is destroyed while thread %d holds it", *lock - 1);
    if (mz__w.report_misuse) { /* otherwise it goes on as with glibc, which does nothing */
        mz__change_object(lock, sizeof *lock);
        *lock = MZ__DESTROYED;
    }
    return 0;
}

static void take_spin_lock(int32_t *lock, uint32_t cell, bool waited)
{
    mz__change_object(lock, sizeof *lock);
    *lock = mz__holder();
    mz__now_holds(lock, false, waited);
    mz__acquire(cell);
}

MZ__OPERATION(int, __wrap_pthread_spin_lock, int32_t *lock)
{
    uint32_t cell = MZ__OBJECT(lock);
    check_spin_lock_made(lock);
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_ACQUIRE : MZ_OP_LOCK;
    mz__pending *p = mz__on_object(kind, MZ__SPIN_FREE, lock, cell, "pthread_spin_lock");
    mz__begin_operation(p, false);
    check_spin_lock(lock);
    take_spin_lock(lock, cell, true);
    return 0;
}

MZ__OPERATION(int, __wrap_pthread_spin_trylock, int32_t *lock)
{
    uint32_t cell = MZ__OBJECT(lock);
    check_spin_lock_made(lock);
    mz__watch_mutex(cell);
    mz__pending *p = mz__on_object(MZ_OP_UPDATE, MZ__FREE, lock, cell, "pthread_spin_trylock");
    p->condition = MZ__SPIN_FREE;
    mz__begin_operation(p, true);
    check_spin_lock(lock);
    if (*lock) {
        mz__executed_as(MZ_OP_READ, false);
        mz__note_read((uintptr_t)lock, sizeof *lock);
        return EBUSY;
    }
    take_spin_lock(lock, cell, false);
    return 0;
}

MZ__OPERATION(int, __wrap_pthread_spin_unlock, int32_t *lock)
{
    uint32_t cell = MZ__OBJECT(lock);
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_RELEASE : MZ_OP_UNLOCK;
    mz__pending *p = mz__on_object(kind, MZ__FREE, lock, cell, "pthread_spin_unlock");
    mz__begin_operation(p, false);
    check_spin_lock(lock);
    if (*lock != mz__holder())
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a spin lock is unlocked by thread %u, which does not hold it",
                 mz__me());
    mz__change_object(lock, sizeof *lock);
    *lock = 0;
    mz__no_longer_holds(lock);
    mz__release(cell, false);
    return 0;
}

/* ---- once
 * --------------------------------------------------------------------------------------------------- */

MZ__HOOK(int, __wrap_pthread_once, int32_t *control, void (*routine)(void))
{
    uint32_t cell = MZ__OBJECT(control);
    if (*control < 0 || *control > 2 || (*control == 0 && (uintptr_t)control - MZ__ARENA < MZ__HEAPS))
        mz__look_at_object(control, "pthread_once_t");
    mz__pending *p = mz__on_object(MZ_OP_ACQUIRE, MZ__ONCE_SETTLED, control, cell, "pthread_once");
    p->condition = MZ__ONCE_NEW;
    mz__begin_operation(p, false);
    if (*control == 2) {
        mz__executed_as(MZ_OP_READ, false);
        mz__acquire(cell);
        return 0;
    }
    mz__change_object(control, sizeof *control);
    *control = 1;
    mz__call_program(routine);
    mz__pending *done = mz__on_object(MZ_OP_RELEASE, MZ__FREE, control, cell, "pthread_once");
    mz__begin_operation(done, false);
    mz__change_object(control, sizeof *control);
    *control = 2;
    mz__release(cell, false);
    return 0;
}
