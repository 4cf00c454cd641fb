#include "native/sync.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "base/hash.h"
#include "native/schedule.h"

/* ---- guards ------------------------------------------------------------------------------------------- */

static bool holds(mz__guard guard, const mz__pending *p, const mz__thread *thread)
{
    const void *object = (const void *)p->address;
    switch (guard) {
    case MZ__FREE:
    case MZ__SECTION:
        return true;
    case MZ__MUTEX_FREE:
        return ((const mz__mutex *)object)->owner == 0;
    case MZ__MUTEX_CHANGED:
        return ((const mz__mutex *)object)->owner == 0 && mz__has_changed(thread);
    case MZ__SPIN_FREE:
        return *(const int32_t *)object == 0;
    case MZ__POSITIVE:
        return *(const uint32_t *)object > 0;
    case MZ__READABLE:
        return ((const mz__rwlock *)object)->writer == 0;
    case MZ__WRITABLE:
        return ((const mz__rwlock *)object)->writer == 0 && ((const mz__rwlock *)object)->readers == 0;
    case MZ__ONCE_SETTLED:
        return *(const int32_t *)object != 1;
    case MZ__ONCE_NEW:
        return *(const int32_t *)object == 0;
    case MZ__EQUAL:
        return memcmp(object, p->expected, p->size) == 0;
    case MZ__CHANGED:
        return mz__has_changed(thread);
    case MZ__NOT_IN_VAIN:
        return mz__is_not_in_vain(p);
    case MZ__WOKEN:
        return false;
    }
    return true;
}

bool mz__guard_holds(const mz__pending *p, const mz__thread *thread)
{
    return holds(p->guard, p, thread);
}

bool mz__condition_holds(const mz__pending *p, const mz__thread *thread)
{
    return holds(p->condition, p, thread);
}

void mz__describe_holder(const mz__pending *p, uint32_t thread, mz_text *out)
{
    const void *object = (const void *)p->address;
    uint32_t holder = p->guard == MZ__MUTEX_FREE  ? (uint32_t)((const mz__mutex *)object)->owner
                      : p->guard == MZ__SPIN_FREE ? *(const uint32_t *)object
                      : p->guard == MZ__READABLE || p->guard == MZ__WRITABLE
                          ? ((const mz__rwlock *)object)->writer
                          : 0;
    if (holder == thread + 1)
        mz_text_add(out, ", which it holds itself");
    else if (holder > 0)
        mz_text_add(out, ", held by thread %u", holder - 1);
    else if (p->guard == MZ__WRITABLE)
        mz_text_add(out, ", which has %u reader%s", ((const mz__rwlock *)object)->readers,
                    ((const mz__rwlock *)object)->readers == 1 ? "" : "s");
}

/* ---- helpers ------------------------------------------------------------------------------------------ */

static uint32_t object_cell(const void *object, size_t size)
{
    uint32_t cell;
    mz__check_memory(object, size, true, mz__caller.pc);
    mz__is_own_only((uintptr_t)object);
    mz__cells_of((uintptr_t)object, 1, true, &cell);
    return cell;
}

/* An operation on one object, as the next one of the thread. */
static mz__pending *plan_on_object(mz__thread *thread, mz_operation_kind kind, mz__guard guard,
                                   const void *object, uint32_t cell, const char *verb)
{
    mz__pending *p = mz__plan(thread, kind, verb);
    p->guard = guard;
    p->address = (uintptr_t)object;
    p->access_count = p->own_count = 1;
    p->accesses[0] = (mz_access){cell, MZ_READ | MZ_WRITE};
    return p;
}

static mz__pending *on_object(mz_operation_kind kind, mz__guard guard, const void *object, uint32_t cell,
                              const char *verb)
{
    static mz__thread nobody; /* in constructors */
    return plan_on_object(mz__w.current ? mz__w.current : &nobody, kind, guard, object, cell, verb);
}

#define OBJECT(pointer) object_cell(pointer, sizeof *(pointer))

/* The operation happens when this returns. Using an object is an access to it like an atomic one: freeing it
 * at the same time is a race. */
static inline __attribute__((always_inline)) void begin(mz__pending *p, bool reads)
{
    mz__announce(p, reads);
    if (!mz__w.current)
        return;
    mz__access(mz__w.current->pending.address, 1, true, true, mz__caller.pc);
}

static void watch_mutex(uint32_t cell);

/* Initialising and destroying an object is an operation on it, too. */
static void begin_change(const void *object, size_t size, const char *verb)
{
    if (!mz__w.current)
        return;
    uint32_t cell = object_cell(object, size);
    watch_mutex(cell);
    begin(on_object(MZ_OP_UPDATE, MZ__FREE, object, cell, verb), false);
}

/* The calling thread changes an object of the program. */
static void change(void *object, size_t size)
{
    mz__touch(object, size);
    if (mz__w.current)
        mz__made_progress();
}

static int32_t me(void)
{
    return (int32_t)mz__me() + 1;
}

static bool running(void)
{
    return mz__w.current != NULL; /* constructors run without anyone to disturb them */
}

/* ---- mutexes ------------------------------------------------------------------------------------------ */

MZ__HOOK(int, __wrap_pthread_mutex_init, mz__mutex *mutex, const pthread_mutexattr_t *attributes)
{
    begin_change(mutex, sizeof *mutex, "pthread_mutex_init");
    change(mutex, sizeof *mutex);
    *mutex = (mz__mutex){.kind = attributes ? *(const int32_t *)(const void *)attributes & 3 : 0};
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutex_destroy, mz__mutex *mutex)
{
    begin_change(mutex, sizeof *mutex, "pthread_mutex_destroy");
    if (running() && mutex->owner)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a mutex is destroyed while thread %d holds it",
                 mutex->owner - 1);
    change(mutex, sizeof *mutex);
    mutex->destroyed = -1;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutexattr_init, int32_t *attributes)
{
    mz__touch(attributes, sizeof *attributes);
    *attributes = 0;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutexattr_destroy, int32_t *attributes)
{
    (void)attributes;
    return 0;
}

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

/* Somebody can see whether a mutex is held, other than by waiting for it: then taking and giving it leaves a
 * trace after all, and it is not free just because its holder has not given it. */
static void watch_mutex(uint32_t cell)
{
    if (!mz__w.current || mz__w.state.thread_count <= 1 || mz__w.cells[cell].watched)
        return;
    mz__w.cells[cell].watched = true;
    mz__learned();
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
    mutex->owner = me();
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
    if (mutex->owner != me())
        return false;
    if (mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
        change(mutex, sizeof *mutex);
        mutex->count++;
        *result = 0;
        return true;
    }
    *result = EDEADLK;
    return mutex->kind == PTHREAD_MUTEX_ERRORCHECK;
}

MZ__HOOK(int, __wrap_pthread_mutex_lock, mz__mutex *mutex)
{
    if (!running())
        return 0;
    uint32_t cell = OBJECT(mutex);
    check_mutex(mutex);
    int result;
    if (lock_again(mutex, &result))
        return result;
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_ACQUIRE : MZ_OP_LOCK;
    mz__pending *p = on_object(kind, MZ__MUTEX_FREE, mutex, cell, "pthread_mutex_lock");
    begin(p, true);
    check_mutex(mutex);
    take_mutex(mutex, cell);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutex_trylock, mz__mutex *mutex)
{
    if (!running())
        return 0;
    uint32_t cell = OBJECT(mutex);
    check_mutex(mutex);
    int result;
    if (lock_again(mutex, &result))
        return result == 0 ? 0 : EBUSY;
    watch_mutex(cell);
    mz__pending *p = on_object(MZ_OP_UPDATE, MZ__FREE, mutex, cell, "pthread_mutex_trylock");
    p->condition = MZ__MUTEX_FREE;
    begin(p, true);
    check_mutex(mutex);
    if (mutex->owner) {
        mz__executed_as(MZ_OP_READ, false);
        mz__note_read((uintptr_t)&mutex->owner, sizeof mutex->owner);
        return EBUSY;
    }
    take_mutex(mutex, cell);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_mutex_unlock, mz__mutex *mutex)
{
    if (!running())
        return 0;
    uint32_t cell = OBJECT(mutex);
    check_mutex(mutex);
    if (mutex->owner != me()) {
        if (mutex->kind != PTHREAD_MUTEX_NORMAL)
            return EPERM;
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a mutex is unlocked by thread %u, which does not hold it",
                 mz__me());
    }
    if (mutex->count > 1) {
        change(mutex, sizeof *mutex);
        mutex->count--;
        return 0;
    }
    mz_operation_kind kind = mz__w.cells[cell].watched ? MZ_OP_RELEASE : MZ_OP_UNLOCK;
    mz__pending *p = on_object(kind, MZ__FREE, mutex, cell, "pthread_mutex_unlock");
    begin(p, false);
    check_mutex(mutex);
    if (mutex->owner != me())
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
    begin_change(condition, sizeof *condition, "pthread_cond_init");
    change(condition, sizeof *condition);
    memset(condition, 0, sizeof *condition);
    return 0;
}

static uint32_t waiting_for(uintptr_t object, uint32_t *who)
{
    uint32_t count = 0;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (mz__w.threads[u].life == MZ__ALIVE && mz__w.threads[u].rare.waits_for == object)
            who[count++] = u;
    return count;
}

MZ__HOOK(int, __wrap_pthread_cond_destroy, pthread_cond_t *condition)
{
    uint32_t who[MZ_MAX_THREADS];
    begin_change(condition, sizeof *condition, "pthread_cond_destroy");
    if (running() && waiting_for((uintptr_t)condition, who) > 0)
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "a condition variable is destroyed while thread %u waits for it", who[0]);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_condattr_init, void *attributes)
{
    (void)attributes;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_condattr_destroy, void *attributes)
{
    (void)attributes;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_cond_wait, pthread_cond_t *condition, mz__mutex *mutex)
{
    uint32_t cell = OBJECT(condition), mutex_cell = OBJECT(mutex);
    check_mutex(mutex);
    if (mutex->owner != me())
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "pthread_cond_wait with a mutex that thread %u does not hold",
                 mz__me());
    mz__pending *p = on_object(MZ_OP_WAIT, MZ__FREE, condition, cell, "pthread_cond_wait");
    p->accesses[p->access_count++] = (mz_access){mutex_cell, MZ_READ | MZ_WRITE};
    begin(p, false);
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
    plan_on_object(t, kind, MZ__MUTEX_FREE, mutex, cell, "pthread_cond_wait");
    mz__rarely(t)->waits_for = 0;
    mz__inherit_causes(t, mz__w.current); /* it is the mutex that orders what they do */
}

MZ__HOOK(int, __wrap_pthread_cond_signal, pthread_cond_t *condition)
{
    if (!running())
        return 0;
    uint32_t cell = OBJECT(condition), who[MZ_MAX_THREADS];
    mz__pending *p = on_object(MZ_OP_SIGNAL, MZ__FREE, condition, cell, "pthread_cond_signal");
    begin(p, false);
    mz__made_progress();
    uint32_t count = waiting_for((uintptr_t)condition, who);
    if (count > 0)
        signal_thread(who[mz__choose(0, count - 1)]);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_cond_broadcast, pthread_cond_t *condition)
{
    if (!running())
        return 0;
    uint32_t cell = OBJECT(condition), who[MZ_MAX_THREADS];
    mz__pending *p = on_object(MZ_OP_SIGNAL, MZ__FREE, condition, cell, "pthread_cond_broadcast");
    begin(p, false);
    mz__made_progress();
    uint32_t count = waiting_for((uintptr_t)condition, who);
    for (uint32_t i = 0; i < count; i++)
        signal_thread(who[i]);
    return 0;
}

/* ---- barriers -------------------------------------------------------------------------------------------
 */

MZ__HOOK(int, __wrap_pthread_barrier_init, mz__barrier *barrier, const void *attributes, unsigned count)
{
    (void)attributes;
    begin_change(barrier, sizeof *barrier, "pthread_barrier_init");
    if (count == 0)
        return EINVAL;
    change(barrier, sizeof *barrier);
    *barrier = (mz__barrier){.needed = count};
    return 0;
}

MZ__HOOK(int, __wrap_pthread_barrier_destroy, mz__barrier *barrier)
{
    begin_change(barrier, sizeof *barrier, "pthread_barrier_destroy");
    return 0;
}

MZ__HOOK(int, __wrap_pthread_barrier_wait, mz__barrier *barrier)
{
    uint32_t cell = OBJECT(barrier), who[MZ_MAX_THREADS];
    mz__pending *p = on_object(MZ_OP_ARRIVE, MZ__FREE, barrier, cell, "pthread_barrier_wait");
    begin(p, false);
    change(barrier, sizeof *barrier);
    if (++barrier->arrived < barrier->needed) {
        mz__rarely(mz__w.current)->waits_for = (uintptr_t)barrier;
        mz__plan(mz__w.current, MZ_OP_AWAIT, "pthread_barrier_wait")->address = (uintptr_t)barrier;
        mz__wait();
        return 0;
    }
    barrier->arrived = 0;
    uint32_t count = waiting_for((uintptr_t)barrier, who);
    for (uint32_t i = 0; i < count; i++)
        mz__order_threads(who[i], mz__me());
    for (uint32_t i = 0; i < count; i++) {
        mz__thread *t = &mz__w.threads[who[i]];
        mz__change_thread(t);
        mz__rarely(t)->waits_for = 0;
        mz__inherit_causes(t, mz__w.current);
        mz__order_threads(mz__me(), who[i]);
        mz__wake(who[i]);
    }
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

/* ---- semaphores -----------------------------------------------------------------------------------------
 */

MZ__HOOK(int, __wrap_sem_init, uint32_t *semaphore, int shared, unsigned value)
{
    (void)shared;
    begin_change(semaphore, sizeof(sem_t), "sem_init");
    change(semaphore, sizeof *semaphore);
    *semaphore = value;
    return 0;
}

MZ__HOOK(int, __wrap_sem_destroy, uint32_t *semaphore)
{
    begin_change(semaphore, sizeof *semaphore, "sem_destroy");
    return 0;
}

MZ__HOOK(int, __wrap_sem_wait, uint32_t *semaphore)
{
    uint32_t cell = OBJECT(semaphore);
    mz__pending *p = on_object(MZ_OP_ACQUIRE, MZ__POSITIVE, semaphore, cell, "sem_wait");
    begin(p, false);
    change(semaphore, sizeof *semaphore);
    --*semaphore;
    mz__acquire(cell);
    return 0;
}

MZ__HOOK(int, __wrap_sem_trywait, uint32_t *semaphore)
{
    uint32_t cell = OBJECT(semaphore);
    mz__pending *p = on_object(MZ_OP_UPDATE, MZ__FREE, semaphore, cell, "sem_trywait");
    p->condition = MZ__POSITIVE;
    begin(p, true);
    if (*semaphore == 0) {
        mz__executed_as(MZ_OP_READ, false);
        mz__note_read((uintptr_t)semaphore, sizeof *semaphore);
        errno = EAGAIN;
        return -1;
    }
    change(semaphore, sizeof *semaphore);
    --*semaphore;
    mz__acquire(cell);
    return 0;
}

MZ__HOOK(int, __wrap_sem_post, uint32_t *semaphore)
{
    uint32_t cell = OBJECT(semaphore);
    mz__pending *p = on_object(MZ_OP_RELEASE, MZ__FREE, semaphore, cell, "sem_post");
    begin(p, false);
    change(semaphore, sizeof *semaphore);
    ++*semaphore;
    mz__release(cell, true);
    return 0;
}

MZ__HOOK(int, __wrap_sem_getvalue, uint32_t *semaphore, int *value)
{
    uint32_t cell = OBJECT(semaphore);
    mz__pending *p = on_object(MZ_OP_READ, MZ__FREE, semaphore, cell, "sem_getvalue");
    p->accesses[0].kind = MZ_READ;
    begin(p, true);
    mz__note_read((uintptr_t)semaphore, sizeof *semaphore);
    mz__touch(value, sizeof *value);
    *value = (int)*semaphore;
    return 0;
}

/* ---- read-write locks ------------------------------------------------------------------------------------
 *
 * What readers publish is acquired by writers only: two readers are not ordered by their lock. */

MZ__HOOK(int, __wrap_pthread_rwlock_init, mz__rwlock *lock, const void *attributes)
{
    (void)attributes;
    begin_change(lock, sizeof *lock, "pthread_rwlock_init");
    change(lock, sizeof *lock);
    *lock = (mz__rwlock){0};
    return 0;
}

MZ__HOOK(int, __wrap_pthread_rwlock_destroy, mz__rwlock *lock)
{
    begin_change(lock, sizeof *lock, "pthread_rwlock_destroy");
    if (running() && (lock->writer || lock->readers))
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a read-write lock is destroyed while it is held");
    return 0;
}

MZ__HOOK(int, __wrap_pthread_rwlockattr_init, void *attributes)
{
    (void)attributes;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_rwlockattr_destroy, void *attributes)
{
    (void)attributes;
    return 0;
}

static void begin_reading(mz__rwlock *lock, uint32_t cell)
{
    change(lock, sizeof *lock);
    lock->again |= mz_threads_has(lock->reading, mz__me());
    lock->reading |= mz_threads_of(mz__me());
    lock->readers++;
    mz__acquire(cell);
}

static void begin_writing(mz__rwlock *lock, uint32_t cell)
{
    change(lock, sizeof *lock);
    lock->writer = (uint32_t)me();
    mz__acquire(cell);
    mz__acquire(MZ__MOST_CELLS + cell);
}

MZ__HOOK(int, __wrap_pthread_rwlock_rdlock, mz__rwlock *lock)
{
    uint32_t cell = OBJECT(lock);
    if (lock->writer == (uint32_t)me())
        return EDEADLK;
    mz__pending *p = on_object(MZ_OP_ACQUIRE, MZ__READABLE, lock, cell, "pthread_rwlock_rdlock");
    begin(p, false);
    begin_reading(lock, cell);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_rwlock_wrlock, mz__rwlock *lock)
{
    uint32_t cell = OBJECT(lock);
    if (lock->writer == (uint32_t)me())
        return EDEADLK;
    mz__pending *p = on_object(MZ_OP_ACQUIRE, MZ__WRITABLE, lock, cell, "pthread_rwlock_wrlock");
    begin(p, false);
    begin_writing(lock, cell);
    return 0;
}

static bool try_rwlock(mz__rwlock *lock, uint32_t cell, bool writes, const char *verb)
{
    mz__pending *p = on_object(MZ_OP_UPDATE, MZ__FREE, lock, cell, verb);
    p->condition = writes ? MZ__WRITABLE : MZ__READABLE;
    begin(p, true);
    if (!lock->writer && (!writes || !lock->readers))
        return true;
    mz__executed_as(MZ_OP_READ, false);
    mz__note_read((uintptr_t)lock, sizeof *lock);
    return false;
}

MZ__HOOK(int, __wrap_pthread_rwlock_tryrdlock, mz__rwlock *lock)
{
    uint32_t cell = OBJECT(lock);
    if (!try_rwlock(lock, cell, false, "pthread_rwlock_tryrdlock"))
        return EBUSY;
    begin_reading(lock, cell);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_rwlock_trywrlock, mz__rwlock *lock)
{
    uint32_t cell = OBJECT(lock);
    if (!try_rwlock(lock, cell, true, "pthread_rwlock_trywrlock"))
        return EBUSY;
    begin_writing(lock, cell);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_rwlock_unlock, mz__rwlock *lock)
{
    uint32_t cell = OBJECT(lock);
    bool writes = lock->writer == (uint32_t)me();
    if (!writes && (lock->readers == 0 || (!lock->again && !mz_threads_has(lock->reading, mz__me()))))
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc,
                 "a read-write lock is unlocked by thread %u, which does not hold it", mz__me());
    mz__pending *p = on_object(MZ_OP_RELEASE, MZ__FREE, lock, cell, "pthread_rwlock_unlock");
    begin(p, false);
    change(lock, sizeof *lock);
    if (writes)
        lock->writer = 0;
    else
        lock->readers--;
    if (!writes && !lock->again)
        lock->reading &= ~mz_threads_of(mz__me());
    if (lock->readers == 0)
        lock->reading = lock->again = 0;
    mz__release(writes ? cell : MZ__MOST_CELLS + cell, !writes);
    return 0;
}

/* ---- spin locks -------------------------------------------------------------------------------------------
 */

MZ__HOOK(int, __wrap_pthread_spin_init, int32_t *lock, int shared)
{
    (void)shared;
    begin_change(lock, sizeof *lock, "pthread_spin_init");
    change(lock, sizeof *lock);
    *lock = 0;
    return 0;
}

MZ__HOOK(int, __wrap_pthread_spin_destroy, int32_t *lock)
{
    begin_change(lock, sizeof *lock, "pthread_spin_destroy");
    return 0;
}

static void take_spin_lock(int32_t *lock, uint32_t cell)
{
    change(lock, sizeof *lock);
    *lock = me();
    mz__acquire(cell);
}

MZ__HOOK(int, __wrap_pthread_spin_lock, int32_t *lock)
{
    uint32_t cell = OBJECT(lock);
    mz__pending *p = on_object(MZ_OP_LOCK, MZ__SPIN_FREE, lock, cell, "pthread_spin_lock");
    begin(p, false);
    take_spin_lock(lock, cell);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_spin_trylock, int32_t *lock)
{
    uint32_t cell = OBJECT(lock);
    mz__pending *p = on_object(MZ_OP_UPDATE, MZ__FREE, lock, cell, "pthread_spin_trylock");
    p->condition = MZ__SPIN_FREE;
    begin(p, true);
    if (*lock) {
        mz__executed_as(MZ_OP_READ, false);
        mz__note_read((uintptr_t)lock, sizeof *lock);
        return EBUSY;
    }
    take_spin_lock(lock, cell);
    return 0;
}

MZ__HOOK(int, __wrap_pthread_spin_unlock, int32_t *lock)
{
    uint32_t cell = OBJECT(lock);
    if (*lock != me())
        mz__fail(MZ_FAIL_LOCK, mz__caller.pc, "a spin lock is unlocked by thread %u, which does not hold it",
                 mz__me());
    mz__pending *p = on_object(MZ_OP_UNLOCK, MZ__FREE, lock, cell, "pthread_spin_unlock");
    begin(p, false);
    change(lock, sizeof *lock);
    *lock = 0;
    mz__release(cell, false);
    return 0;
}

/* ---- once
 * --------------------------------------------------------------------------------------------------- */

MZ__HOOK(int, __wrap_pthread_once, int32_t *control, void (*routine)(void))
{
    if (!running()) {
        if (*control == 0)
            routine();
        *control = 2;
        return 0;
    }
    uint32_t cell = OBJECT(control);
    mz__pending *p = on_object(MZ_OP_ACQUIRE, MZ__ONCE_SETTLED, control, cell, "pthread_once");
    p->condition = MZ__ONCE_NEW;
    begin(p, false);
    if (*control == 2) {
        mz__executed_as(MZ_OP_READ, false);
        mz__acquire(cell);
        return 0;
    }
    change(control, sizeof *control);
    *control = 1;
    mz__call_program(routine);
    mz__pending *done = on_object(MZ_OP_RELEASE, MZ__FREE, control, cell, "pthread_once");
    begin(done, false);
    change(control, sizeof *control);
    *control = 2;
    mz__release(cell, false);
    return 0;
}
