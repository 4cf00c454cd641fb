/* Waits with a time limit.
 *
 * How long anything takes is not known: the time may be up whenever the thread would have to wait, whatever
 * the deadline is. While it waits for a mutex, a semaphore or a read-write lock nobody notices it. So only
 * the end of the wait is an operation: it can always happen, takes the object if that is free, and has
 * otherwise run out of time. That is trying to take it, at the time when the wait ends: that it is satisfied
 * after a while is the order in which it comes after whoever made that possible. No choice is needed, no
 * outcome comes twice, and what may run out of time is in no deadlock. (A condition variable does notice who
 * waits for it: mutexes.c.) */

#include <errno.h>

#include "program/loops/spin.h"
#include "program/pthread/endings.h"
#include "program/pthread/peers.h"
#include "program/pthread/sync.h"
#include "program/pthread/timed.h"
#include "program/runtime/accesses.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/world/clock.h"
#include "program/world/learning.h"
#include "program/world/object_states.h"
#include "program/world/world.h"

int mz__time_is_up(const struct timespec *deadline)
{
    mz__plain_access((uintptr_t)deadline, sizeof *deadline, false);
    return deadline->tv_nsec < 0 || deadline->tv_nsec >= MZ__SECOND ? EINVAL : ETIMEDOUT;
}

/* Deadlines of C++ that were lengths of time (cxx/linked/deadlines.h): seconds of a time that nobody else
 * speaks of, from which they are counted, and what they may be before it. Such clocks count nanoseconds; what
 * is later than they go is meant never to come. */
#define ORIGIN  INT64_C(4000000000)
#define LEEWAY  INT64_C(100000000)
#define TOO_FAR (INT64_MAX / MZ__SECOND)

static bool is_length_of_time(const struct timespec *deadline)
{
    return mz__w.has_exceptions && deadline->tv_sec >= ORIGIN - LEEWAY && deadline->tv_sec < TOO_FAR;
}

int mz__let_pass(const struct timespec *deadline, int result)
{
    if (result != ETIMEDOUT)
        return result;
    if (!is_length_of_time(deadline))
        mz__clock_pass(deadline);
    else if (deadline->tv_sec >= ORIGIN)
        mz__clock_advance(mz__as_nanoseconds(deadline->tv_sec - ORIGIN, deadline->tv_nsec));
    return result;
}

/* The library looks at its clock to find out whether the time was up. */
static void show_deadline(const struct timespec *deadline)
{
    if (is_length_of_time(deadline))
        mz__cold_of(mz__w.current)->deadline_passed = deadline->tv_sec * MZ__SECOND + deadline->tv_nsec;
}

MZ__HOOK(long, mz_deadline_now, void)
{
    const mz__thread *t = mz__w.current;
    int64_t passed = t->cold.deadline_passed;
    if (!passed)
        return ORIGIN * MZ__SECOND;
    mz__cold_of(mz__w.current)->deadline_passed = 0;
    return passed;
}

/* ---- mutexes and condition variables -------------------------------------------------------------------
 */

int mz__lock_with_limit(mz__mutex *mutex, const struct timespec *deadline, const char *verb)
{
    int up = mz__time_is_up(deadline);
    if (mutex->kind == PTHREAD_MUTEX_ERRORCHECK && mutex->owner == mz__holder())
        return EDEADLK;
    int result = mz__try_mutex(mutex, verb);
    return result == EBUSY ? mz__let_pass(deadline, up) : result;
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
    int result = mz__let_pass(deadline, mz__wait_with_limit(condition, mutex, verb));
    if (result == ETIMEDOUT)
        show_deadline(deadline);
    return result;
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
    errno = mz__let_pass(deadline, up);
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
    bool taken = writes ? mz__write_with_limit(lock, verb) : mz__try_rwlock(lock, false, verb);
    return taken ? 0 : mz__let_pass(deadline, up);
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

/* ---- joins ------------------------------------------------------------------------------------------------
 *
 * Without a limit, joining is program order, and the end of a thread is no event. To ask whether a thread has
 * ended, without waiting for it, is one, and so is then the end: an operation on a location of its own. */

static bool has_ended(mz__thread *t, const char *verb)
{
    if (!mz__w.ends_watched) {
        mz__w.ends_watched = true;
        mz__learned();
    }
    mz__announce(mz__on_end(t->number, MZ_OP_READ, verb), true);
    mz__note_read((uintptr_t)&t->returned, sizeof t->returned); /* becomes true with the end */
    return t->returned;
}

int mz__hook___wrap_pthread_join(pthread_t handle, void **result);

MZ__OPERATION(int, __wrap_pthread_tryjoin_np, pthread_t handle, void **result)
{
    mz__tells_apart(mz__thread_of(handle), "pthread_tryjoin_np");
    if (!has_ended(mz__thread_of(handle), "pthread_tryjoin_np"))
        return EBUSY;
    return mz__hook___wrap_pthread_join(handle, result);
}

static int join_with_limit(pthread_t handle, void **result, const struct timespec *deadline, const char *verb)
{
    mz__thread *t = mz__thread_of(handle);
    mz__tells_apart(t, verb);
    if (!deadline || t == mz__w.current)
        return mz__hook___wrap_pthread_join(handle, result);
    int up = mz__time_is_up(deadline);
    mz__test_cancel(verb, true);
    if (!has_ended(t, verb))
        return mz__let_pass(deadline, up);
    return mz__hook___wrap_pthread_join(handle, result);
}

MZ__OPERATION(int, __wrap_pthread_timedjoin_np, pthread_t handle, void **result,
              const struct timespec *deadline)
{
    return join_with_limit(handle, result, deadline, "pthread_timedjoin_np");
}

MZ__OPERATION(int, __wrap_pthread_clockjoin_np, pthread_t handle, void **result, clockid_t clock,
              const struct timespec *deadline)
{
    (void)clock;
    return join_with_limit(handle, result, deadline, "pthread_clockjoin_np");
}
