/* Barriers, semaphores, read-write locks, spin locks, once. Semaphores and locks are the C library's own (see
 * runtime_mutexes.c); barriers and once are ours, since their operations are over before they wait. */
#include "safe/runtime/runtime_sync.h"

#include <errno.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

bool mz__is_time(const struct timespec *time)
{
    return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

int mz__wait_timed_out(clockid_t clock, const struct timespec *deadline)
{
    int saved = errno;
    if (!mz__is_time(deadline))
        return EINVAL;
    while (syscall(SYS_clock_nanosleep, clock, TIMER_ABSTIME, deadline, NULL) < 0 && errno == EINTR)
        continue;
    errno = saved;
    return ETIMEDOUT;
}

/* An operation on one object that is nothing but a call. */
#define CALL(kinds, object, call)                                                                            \
    mz__enforcement mode = mz__begin(kinds, object);                                                         \
    int result = (call);                                                                                     \
    mz__end_tried(mode, result);                                                                             \
    return result

#define CALL_TAKING(kinds, object, try, fails, call)                                                         \
    mz__enforcement mode = mz__begin(kinds, object);                                                         \
    int result;                                                                                              \
    MZ__TAKING(result, try, fails, call);                                                                    \
    mz__end_tried(mode, result);                                                                             \
    return result

/* ---- barriers -------------------------------------------------------------------------------------------
 */

/* In the place of a pthread_barrier_t. */
typedef struct barrier {
    _Atomic uint32_t lock;
    uint32_t needed, arrived;
    _Atomic uint32_t round;  /* complete ones */
    _Atomic uint32_t inside; /* threads that still look at it */
} barrier;

_Static_assert(sizeof(barrier) <= sizeof(pthread_barrier_t), "it has to fit");

DEFINE(int, pthread_barrier_init, pthread_barrier_t *object, const pthread_barrierattr_t *attributes,
       unsigned count)
{
    (void)attributes;
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE), object);
    if (count > 0)
        *(barrier *)object = (barrier){.needed = count};
    mz__end(mode);
    return count > 0 ? 0 : EINVAL;
}

/* Who waited may be on its way out: the memory is its owner's again when all have left. */
DEFINE(int, pthread_barrier_destroy, pthread_barrier_t *object)
{
    barrier *b = (barrier *)object;
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE), object);
    for (uint32_t inside; (inside = atomic_load(&b->inside)) > 0;)
        MZ__LETTING_OTHERS(mz__sleep_while(&b->inside, inside, CLOCK_MONOTONIC, NULL));
    mz__end(mode);
    return 0;
}

static void sleep_for_round(barrier *b, uint32_t round)
{
    while (atomic_load(&b->round) == round)
        mz__sleep_while(&b->round, round, CLOCK_MONOTONIC, NULL);
}

DEFINE(int, pthread_barrier_wait, pthread_barrier_t *object)
{
    barrier *b = (barrier *)object;
    mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(ARRIVE), b);
    mz__take(&b->lock);
    uint32_t round = atomic_load(&b->round);
    bool last = ++b->arrived == b->needed;
    if (last)
        b->arrived = 0;
    else
        atomic_fetch_add(&b->inside, 1);
    mz__give(&b->lock);
    if (last) {
        atomic_fetch_add(&b->round, 1);
        mz__wake(&b->round, INT32_MAX);
        mz__end(mode);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    mz__end(mode);
    MZ__LETTING_OTHERS(sleep_for_round(b, round));
    if (atomic_fetch_sub(&b->inside, 1) == 1)
        mz__wake(&b->inside, 1);
    return 0;
}

/* ---- semaphores -----------------------------------------------------------------------------------------
 */

DEFINE(int, sem_init, sem_t *semaphore, int shared, unsigned value)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE), semaphore, __real_sem_init(semaphore, shared, value));
}

DEFINE(int, sem_destroy, sem_t *semaphore)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE), semaphore, __real_sem_destroy(semaphore));
}

DEFINE(int, sem_wait, sem_t *semaphore)
{
    CALL_TAKING(MZ__KIND(ACQUIRE), semaphore, __real_sem_trywait(semaphore), result != 0,
                __real_sem_wait(semaphore));
}

DEFINE(int, sem_trywait, sem_t *semaphore)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE) | MZ__KIND(READ), semaphore, __real_sem_trywait(semaphore));
}

DEFINE(int, sem_post, sem_t *semaphore)
{
    CALL(MZ__INSTANT | MZ__KIND(RELEASE), semaphore, __real_sem_post(semaphore));
}

DEFINE(int, sem_getvalue, sem_t *semaphore, int *value)
{
    CALL(MZ__INSTANT | MZ__KIND(READ), semaphore, __real_sem_getvalue(semaphore, value));
}

DEFINE(int, sem_clockwait, sem_t *semaphore, clockid_t clock, const struct timespec *deadline)
{
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE) | MZ__KIND(READ), semaphore);
    int result;
    if (mode == MZ__ENFORCED)
        result = __real_sem_trywait(semaphore);
    else
        MZ__TAKING(result, __real_sem_trywait(semaphore), result != 0,
                   __real_sem_clockwait(semaphore, clock, deadline));
    mz__end_tried(mode, result);
    if (mode == MZ__ENFORCED && result != 0)
        errno = mz__wait_timed_out(clock, deadline);
    return result;
}

DEFINE(int, sem_timedwait, sem_t *semaphore, const struct timespec *deadline)
{
    return __wrap_sem_clockwait(semaphore, CLOCK_REALTIME, deadline);
}

/* ---- read-write locks -----------------------------------------------------------------------------------
 */

/* It would wait for itself: EDEADLK, and no operation. Where glibc keeps the writer only it can find itself.
 */
static bool writes_itself(const pthread_rwlock_t *lock)
{
    int writer = __atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED);
    return writer != 0 && writer == (int)mz__thread_id();
}

DEFINE(int, pthread_rwlock_init, pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE), lock, __real_pthread_rwlock_init(lock, attributes));
}

DEFINE(int, pthread_rwlock_destroy, pthread_rwlock_t *lock)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE), lock, __real_pthread_rwlock_destroy(lock));
}

DEFINE(int, pthread_rwlock_rdlock, pthread_rwlock_t *lock)
{
    if (writes_itself(lock))
        return EDEADLK;
    CALL_TAKING(MZ__KIND(ACQUIRE), lock, __real_pthread_rwlock_tryrdlock(lock), result == EBUSY,
                __real_pthread_rwlock_rdlock(lock));
}

DEFINE(int, pthread_rwlock_wrlock, pthread_rwlock_t *lock)
{
    if (writes_itself(lock))
        return EDEADLK;
    CALL_TAKING(MZ__KIND(ACQUIRE), lock, __real_pthread_rwlock_trywrlock(lock), result == EBUSY,
                __real_pthread_rwlock_wrlock(lock));
}

DEFINE(int, pthread_rwlock_tryrdlock, pthread_rwlock_t *lock)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE) | MZ__KIND(READ), lock, __real_pthread_rwlock_tryrdlock(lock));
}

DEFINE(int, pthread_rwlock_trywrlock, pthread_rwlock_t *lock)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE) | MZ__KIND(READ), lock, __real_pthread_rwlock_trywrlock(lock));
}

#define TIMED(name, try)                                                                                     \
    DEFINE(int, name, pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline)              \
    {                                                                                                        \
        if (writes_itself(lock))                                                                             \
            return EDEADLK;                                                                                  \
        mz__enforcement mode = mz__begin(MZ__KIND(UPDATE) | MZ__KIND(READ), lock);                           \
        int result;                                                                                          \
        if (mode == MZ__ENFORCED)                                                                            \
            result = __real_##try(lock);                                                                     \
        else                                                                                                 \
            MZ__TAKING(result, __real_##try(lock), result == EBUSY, __real_##name(lock, clock, deadline));   \
        mz__end_tried(mode, result);                                                                         \
        return mode == MZ__ENFORCED && result == EBUSY ? mz__wait_timed_out(clock, deadline) : result;       \
    }

TIMED(pthread_rwlock_clockrdlock, pthread_rwlock_tryrdlock)
TIMED(pthread_rwlock_clockwrlock, pthread_rwlock_trywrlock)

DEFINE(int, pthread_rwlock_timedrdlock, pthread_rwlock_t *lock, const struct timespec *deadline)
{
    return __wrap_pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, deadline);
}

DEFINE(int, pthread_rwlock_timedwrlock, pthread_rwlock_t *lock, const struct timespec *deadline)
{
    return __wrap_pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, deadline);
}

DEFINE(int, pthread_rwlock_unlock, pthread_rwlock_t *lock)
{
    CALL(MZ__INSTANT | MZ__KIND(RELEASE), lock, __real_pthread_rwlock_unlock(lock));
}

/* ---- spin locks -----------------------------------------------------------------------------------------
 */

DEFINE(int, pthread_spin_init, pthread_spinlock_t *lock, int shared)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE), lock, __real_pthread_spin_init(lock, shared));
}

DEFINE(int, pthread_spin_destroy, pthread_spinlock_t *lock)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE), lock, __real_pthread_spin_destroy(lock));
}

DEFINE(int, pthread_spin_lock, pthread_spinlock_t *lock)
{
    CALL_TAKING(MZ__KIND(LOCK) | MZ__KIND(ACQUIRE), lock, __real_pthread_spin_trylock(lock), result == EBUSY,
                __real_pthread_spin_lock(lock));
}

DEFINE(int, pthread_spin_trylock, pthread_spinlock_t *lock)
{
    CALL(MZ__INSTANT | MZ__KIND(UPDATE) | MZ__KIND(READ), lock, __real_pthread_spin_trylock(lock));
}

DEFINE(int, pthread_spin_unlock, pthread_spinlock_t *lock)
{
    CALL(MZ__INSTANT | MZ__KIND(UNLOCK) | MZ__KIND(RELEASE), lock, __real_pthread_spin_unlock(lock));
}

/* ---- once -----------------------------------------------------------------------------------------------
 */

enum { NEW, IN_PROGRESS, SETTLED };

/* The one of C++ programs (program/cxx/linked/threads.cpp), which exceptions can leave, takes its place. */
__attribute__((weak)) int __wrap_pthread_once(pthread_once_t *object, void (*routine)(void));
__attribute__((weak)) int __wrap_pthread_once(pthread_once_t *object, void (*routine)(void))
{
    _Atomic uint32_t *state = (_Atomic uint32_t *)(void *)object;
    mz__enforcement mode = mz__begin(MZ__KIND(ACQUIRE) | MZ__KIND(READ), state);
    uint32_t found = NEW;
    while (found = NEW, !atomic_compare_exchange_strong(state, &found, IN_PROGRESS) && found == IN_PROGRESS)
        MZ__LETTING_OTHERS(mz__sleep_while(state, IN_PROGRESS, CLOCK_MONOTONIC, NULL));
    mz__end(mode);
    if (found == SETTLED)
        return 0;
    routine();
    mode = mz__begin(MZ__KIND(RELEASE), state);
    atomic_store(state, SETTLED);
    mz__wake(state, INT32_MAX);
    mz__end(mode);
    return 0;
}
