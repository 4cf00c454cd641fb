/* Mutexes and condition variables.
 *
 * A mutex is the C library's own. In the prefix taking one never waits, because whoever gave it before has
 * done so (the waits of the plan say so). A condition variable is ours: a queue of the threads that wait, so
 * that a signal wakes the one that it woke when it was verified. */
#include "safe/runtime/runtime_boundary.h"
#include "safe/runtime/runtime_sync.h"

#include <errno.h>
#include <string.h>

/* ---- mutexes --------------------------------------------------------------------------------------------
 */

/* What the owner does with a mutex that it keeps is no operation. The kind and the owner are where glibc
 * keeps them; only the owner itself can find itself there. */
static bool is_mine(const pthread_mutex_t *mutex)
{
    return mz__mutex_kind(mutex) != PTHREAD_MUTEX_NORMAL &&
           __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) == (int)mz__thread_id();
}

DEFINE(int, pthread_mutex_init, pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE), mutex);
    int result = __real_pthread_mutex_init(mutex, attributes);
    mz__end(mode);
    return result;
}

DEFINE(int, pthread_mutex_destroy, pthread_mutex_t *mutex)
{
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE), mutex);
    int result = __real_pthread_mutex_destroy(mutex);
    mz__end(mode);
    return result;
}

static int lock(pthread_mutex_t *mutex)
{
    mz__enforcement mode = mz__begin(MZ__KIND(LOCK) | MZ__KIND(ACQUIRE), mutex);
    int result;
    MZ__TAKING(result, __real_pthread_mutex_trylock(mutex), result == EBUSY,
               __real_pthread_mutex_lock(mutex));
    mz__end(mode);
    return result;
}

DEFINE(int, pthread_mutex_lock, pthread_mutex_t *mutex)
{
    return is_mine(mutex) ? __real_pthread_mutex_lock(mutex) : lock(mutex);
}

DEFINE(int, pthread_mutex_trylock, pthread_mutex_t *mutex)
{
    if (is_mine(mutex))
        return __real_pthread_mutex_trylock(mutex);
    mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(UPDATE) | MZ__KIND(READ), mutex);
    int result = __real_pthread_mutex_trylock(mutex);
    mz__end_tried(mode, result);
    return result;
}

DEFINE(int, pthread_mutex_clocklock, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline)
{
    if (is_mine(mutex))
        return __real_pthread_mutex_clocklock(mutex, clock, deadline);
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE) | MZ__KIND(READ), mutex);
    int result;
    if (mode == MZ__ENFORCED)
        result = __real_pthread_mutex_trylock(mutex);
    else
        MZ__TAKING(result, __real_pthread_mutex_trylock(mutex), result == EBUSY,
                   __real_pthread_mutex_clocklock(mutex, clock, deadline));
    mz__end_tried(mode, result);
    return mode == MZ__ENFORCED && result == EBUSY ? mz__wait_timed_out(clock, deadline) : result;
}

DEFINE(int, pthread_mutex_timedlock, pthread_mutex_t *mutex, const struct timespec *deadline)
{
    return __wrap_pthread_mutex_clocklock(mutex, CLOCK_REALTIME, deadline);
}

DEFINE(int, pthread_mutex_unlock, pthread_mutex_t *mutex)
{
    if (mz__mutex_kind(mutex) != PTHREAD_MUTEX_NORMAL &&
        (!is_mine(mutex) || (mz__mutex_kind(mutex) == PTHREAD_MUTEX_RECURSIVE && mutex->__data.__count > 1)))
        return __real_pthread_mutex_unlock(mutex);
    mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(UNLOCK) | MZ__KIND(RELEASE), mutex);
    int result = __real_pthread_mutex_unlock(mutex);
    mz__end(mode);
    return result;
}

/* ---- condition variables --------------------------------------------------------------------------------
 */

typedef struct waiter {
    struct waiter *next;
    uint32_t thread;
    _Atomic uint32_t signalled;
} waiter;

/* In the place of a pthread_cond_t; what its static initialiser sets is an empty one. */
typedef struct condition {
    _Atomic uint32_t lock;
    clockid_t clock;
    waiter *first;
} condition;

_Static_assert(sizeof(condition) <= sizeof(pthread_cond_t), "it has to fit");

static void append(condition *c, waiter *w)
{
    waiter **link = &c->first;
    mz__take(&c->lock);
    while (*link)
        link = &(*link)->next;
    *link = w;
    mz__give(&c->lock);
}

/* False: it is not there. The lock is held. */
static bool take_out(condition *c, const waiter *w)
{
    for (waiter **link = &c->first; *link; link = &(*link)->next)
        if (*link == w) {
            *link = w->next;
            return true;
        }
    return false;
}

/* The waiter may be gone as soon as it is told; who then sleeps at that address looks again. */
static void wake(waiter *w)
{
    atomic_store(&w->signalled, 1);
    mz__wake(&w->signalled, 1);
}

static waiter *thread_that_waits(const condition *c, uint32_t number)
{
    waiter *w = c->first;
    while (w && w->thread != number)
        w = w->next;
    return w;
}

DEFINE(int, pthread_cond_init, pthread_cond_t *object, const pthread_condattr_t *attributes)
{
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE), object);
    condition *c = (condition *)object;
    *c = (condition){.clock = CLOCK_REALTIME};
    if (attributes)
        pthread_condattr_getclock(attributes, &c->clock);
    mz__end(mode);
    return 0;
}

DEFINE(int, pthread_cond_destroy, pthread_cond_t *object)
{
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE), object);
    mz__end(mode);
    return 0;
}

/* The first operation of a wait: begin to wait, and give the mutex. */
static int begin_waiting(condition *c, pthread_mutex_t *mutex, waiter *w)
{
    *w = (waiter){.thread = mz__self.number};
    mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(WAIT), c);
    append(c, w);
    int result = __real_pthread_mutex_unlock(mutex);
    if (result != 0) {
        mz__take(&c->lock);
        take_out(c, w);
        mz__give(&c->lock);
    }
    mz__end(mode);
    return result;
}

static bool is_waiting(const condition *c, const waiter *w)
{
    const waiter *other = c->first;
    while (other && other != w)
        other = other->next;
    return other;
}

/* Unless it was signalled meanwhile: who does that holds the lock, too. */
static void tell_that_it_waits(condition *c, const waiter *w)
{
    mz__take(&c->lock);
    bool waits = is_waiting(c, w);
    if (waits)
        mz__now_waits();
    mz__give(&c->lock);
    if (waits)
        mz__has_stopped();
}

DEFINE(int, pthread_cond_wait, pthread_cond_t *object, pthread_mutex_t *mutex)
{
    condition *c = (condition *)object;
    waiter w;
    int result = begin_waiting(c, mutex, &w);
    if (result != 0)
        return result;
    uint32_t iteration = mz__iteration();
    if (mz__iterates)
        tell_that_it_waits(c, &w);
    mz__leave_turn();
    while (!atomic_load(&w.signalled))
        mz__sleep_while(&w.signalled, 0, CLOCK_MONOTONIC, NULL);
    mz__is_awake(iteration);
    return lock(mutex);
}

static void sleep_until_signalled(waiter *w, clockid_t clock, const struct timespec *deadline)
{
    while (!atomic_load(&w->signalled))
        if (mz__sleep_while(&w->signalled, 0, clock, deadline) == ETIMEDOUT)
            break;
}

/* With a time limit there is an operation between the two: the end of the wait, with a signal or without. In
 * the prefix it depends on whether the signal comes before it, as when it was verified, not on the clock. */
int mz__wait_until(pthread_cond_t *object, pthread_mutex_t *mutex, clockid_t clock,
                   const struct timespec *deadline)
{
    condition *c = (condition *)object;
    waiter w;
    if (!mz__is_time(deadline))
        return EINVAL;
    int result = begin_waiting(c, mutex, &w);
    if (result != 0)
        return result;
    mz__enforcement mode = mz__begin(MZ__KIND(UPDATE) | MZ__KIND(READ) | MZ__KIND(AWAIT), c);
    if (mode != MZ__ENFORCED)
        MZ__LETTING_OTHERS(sleep_until_signalled(&w, clock, deadline));
    mz__take(&c->lock);
    bool late = take_out(c, &w);
    mz__give(&c->lock);
    mz__end(mode);
    while (!late && !atomic_load(&w.signalled)) /* taken out by a signal that is about to tell us */
        mz__pause();
    if (late && mode == MZ__ENFORCED)
        mz__wait_timed_out(clock, deadline);
    result = lock(mutex);
    return result != 0 ? result : late ? ETIMEDOUT : 0;
}

DEFINE(int, pthread_cond_timedwait, pthread_cond_t *object, pthread_mutex_t *mutex,
       const struct timespec *deadline)
{
    return mz__wait_until(object, mutex, ((condition *)object)->clock, deadline);
}

DEFINE(int, pthread_cond_clockwait, pthread_cond_t *object, pthread_mutex_t *mutex, clockid_t clock,
       const struct timespec *deadline)
{
    return mz__wait_until(object, mutex, clock, deadline);
}

DEFINE(int, pthread_cond_signal, pthread_cond_t *object)
{
    condition *c = (condition *)object;
    mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(SIGNAL), c);
    mz__take(&c->lock);
    waiter *w = c->first;
    if (mode == MZ__ENFORCED && mz__self.picks != MZ_PLAN_PICKS_NOBODY &&
        thread_that_waits(c, mz__self.picks))
        w = thread_that_waits(c, mz__self.picks);
    if (w) {
        take_out(c, w);
        mz__let_run(w->thread);
    }
    mz__give(&c->lock);
    if (w)
        wake(w);
    mz__end(mode);
    return 0;
}

DEFINE(int, pthread_cond_broadcast, pthread_cond_t *object)
{
    condition *c = (condition *)object;
    mz__enforcement mode = mz__begin(MZ__INSTANT | MZ__KIND(SIGNAL), c);
    mz__take(&c->lock);
    waiter *w = c->first;
    for (const waiter *each = w; each; each = each->next)
        mz__let_run(each->thread);
    c->first = NULL;
    mz__give(&c->lock);
    for (waiter *next; w; w = next) {
        next = w->next; /* before it is gone */
        wake(w);
    }
    mz__end(mode);
    return 0;
}
