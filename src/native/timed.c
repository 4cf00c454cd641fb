/* Waits with a time limit.
 *
 * How long anything takes is not known: the time may be up whenever the thread would have to wait, whatever
 * the deadline is. While it waits for a mutex, a semaphore or a read-write lock nobody notices it. So only
 * the end of the wait is an operation: it can always happen, takes the object if that is free, and has
 * otherwise run out of time. That is trying to take it, at the time when the wait ends: that it is satisfied
 * after a while is the order in which it comes after whoever made that possible. No choice is needed, no
 * outcome comes twice, and what may run out of time is in no deadlock. (A condition variable does notice who
 * waits for it: mutexes.c.) */
#include "native/timed.h"

#include <errno.h>

#include "native/endings.h"

int mz__time_is_up(const struct timespec *deadline)
{
    mz__plain_access((uintptr_t)deadline, sizeof *deadline, false);
    return deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000 ? EINVAL : ETIMEDOUT;
}

/* ---- mutexes and condition variables -------------------------------------------------------------------
 */

int mz__lock_with_limit(mz__mutex *mutex, const struct timespec *deadline, const char *verb)
{
    int up = mz__time_is_up(deadline);
    if (mutex->kind == PTHREAD_MUTEX_ERRORCHECK && mutex->owner == mz__holder())
        return EDEADLK;
    int result = mz__try_mutex(mutex, verb);
    return result == EBUSY ? up : result;
}

MZ__OPERATION(int, __wrap_pthread_mutex_timedlock, mz__mutex *mutex, const struct timespec *deadline)
{
    return mz__lock_with_limit(mutex, deadline, "pthread_mutex_timedlock");
}

MZ__OPERATION(int, __wrap_pthread_mutex_clocklock, mz__mutex *mutex, clockid_t clock,
              const struct timespec *deadline)
{
    (void)clock;
    return mz__lock_with_limit(mutex, deadline, "pthread_mutex_clocklock");
}

static int wait_with_limit(mz__condition *condition, mz__mutex *mutex, const struct timespec *deadline,
                           const char *verb)
{
    if (mz__time_is_up(deadline) == EINVAL)
        return EINVAL;
    return mz__wait_with_limit(condition, mutex, verb);
}

MZ__OPERATION(int, __wrap_pthread_cond_timedwait, mz__condition *condition, mz__mutex *mutex,
              const struct timespec *deadline)
{
    return wait_with_limit(condition, mutex, deadline, "pthread_cond_timedwait");
}

MZ__OPERATION(int, __wrap_pthread_cond_clockwait, mz__condition *condition, mz__mutex *mutex, clockid_t clock,
              const struct timespec *deadline)
{
    (void)clock;
    return wait_with_limit(condition, mutex, deadline, "pthread_cond_clockwait");
}

/* ---- semaphores and read-write locks -------------------------------------------------------------------
 */

static int wait_for_semaphore(uint32_t *semaphore, const struct timespec *deadline, const char *verb)
{
    int up = mz__time_is_up(deadline);
    mz__test_cancel(verb, true);
    if (mz__try_semaphore(semaphore, verb))
        return 0;
    errno = up;
    return -1;
}

MZ__OPERATION(int, __wrap_sem_timedwait, uint32_t *semaphore, const struct timespec *deadline)
{
    return wait_for_semaphore(semaphore, deadline, "sem_timedwait");
}

MZ__OPERATION(int, __wrap_sem_clockwait, uint32_t *semaphore, clockid_t clock,
              const struct timespec *deadline)
{
    (void)clock;
    return wait_for_semaphore(semaphore, deadline, "sem_clockwait");
}

static int wait_for_rwlock(mz__rwlock *lock, bool writes, const struct timespec *deadline, const char *verb)
{
    int up = mz__time_is_up(deadline);
    if (lock->writer == (uint32_t)mz__holder())
        return EDEADLK;
    return mz__try_rwlock(lock, writes, verb) ? 0 : up;
}

MZ__OPERATION(int, __wrap_pthread_rwlock_timedrdlock, mz__rwlock *lock, const struct timespec *deadline)
{
    return wait_for_rwlock(lock, false, deadline, "pthread_rwlock_timedrdlock");
}

MZ__OPERATION(int, __wrap_pthread_rwlock_clockrdlock, mz__rwlock *lock, clockid_t clock,
              const struct timespec *deadline)
{
    (void)clock;
    return wait_for_rwlock(lock, false, deadline, "pthread_rwlock_clockrdlock");
}

MZ__OPERATION(int, __wrap_pthread_rwlock_timedwrlock, mz__rwlock *lock, const struct timespec *deadline)
{
    return wait_for_rwlock(lock, true, deadline, "pthread_rwlock_timedwrlock");
}

MZ__OPERATION(int, __wrap_pthread_rwlock_clockwrlock, mz__rwlock *lock, clockid_t clock,
              const struct timespec *deadline)
{
    (void)clock;
    return wait_for_rwlock(lock, true, deadline, "pthread_rwlock_clockwrlock");
}
