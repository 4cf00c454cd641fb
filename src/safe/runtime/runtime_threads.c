/* Threads: creating them, which gives them their names, waiting for them, and their end. None of it is an
 * operation. */
#include "safe/runtime/follow/runtime_serial.h"
#include "safe/runtime/runtime_boundary.h"
#include "safe/runtime/runtime_sync.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the end of a thread --------------------------------------------------------------------------------
 *
 * Destructors of thread-specific data run after everything else of the thread, and may do operations. The
 * value of a key of ours, set again in each round, lets us look when all are done. */

static pthread_key_t last_key;
static pthread_once_t last_key_once = PTHREAD_ONCE_INIT;
static bool has_last_key;

int __real_pthread_once(pthread_once_t *, void (*)(void));
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
void __real_free(void *);

/* May there be something left of the thread that a plan looks at? */
static bool is_expected_to_do_more(void)
{
    bool undecided = mz__self.plan && !(mz__self.stage & MZ_GUARD_PLAN);
    return mz__iterates || undecided || mz__self.entry != mz__self.end;
}

static void look_when_done(void *round)
{
    uintptr_t rounds = (uintptr_t)round;
    if (rounds < PTHREAD_DESTRUCTOR_ITERATIONS && is_expected_to_do_more()) {
        pthread_setspecific(last_key, (void *)(rounds + 1));
        return;
    }
    mz__thread_ends();
    mz__has_ended();
}

static void make_last_key(void)
{
    has_last_key = pthread_key_create(&last_key, look_when_done) == 0;
}

static void end_thread(void)
{
    mz__settle();
    mz__leave_freed();
    mz__leave_turn();
    atomic_fetch_sub_explicit(&mz__running_threads, 1, memory_order_relaxed);
    if (!is_expected_to_do_more()) {
        mz__thread_ends();
        return;
    }
    __real_pthread_once(&last_key_once, make_last_key);
    if (has_last_key)
        pthread_setspecific(last_key, (void *)1);
    else
        mz__has_ended();
}

/* ---- creating -------------------------------------------------------------------------------------------
 */

static void *begin_thread(void *participant)
{
    mz__participant *own = participant;
    mz__become((uint32_t)(own - mz__participants));
    mz__enlist();
    if (mz__thread_begins)
        mz__thread_begins();
    void *result = own->start(own->argument);
    end_thread();
    return result;
}

/* A thread that the plan does not know, and that has to be told at its beginning. */
typedef struct stranger {
    void *(*start)(void *);
    void *argument;
} stranger;

static void *begin_stranger(void *context)
{
    stranger own = *(stranger *)context;
    __real_free(context);
    mz__enlist();
    if (mz__thread_begins)
        mz__thread_begins();
    void *result = own.start(own.argument);
    mz__leave_turn();
    return result;
}

static int create_stranger(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                           void *argument)
{
    if (!mz__thread_begins && !mz__may_serialise)
        return __real_pthread_create(handle, attributes, start, argument);
    stranger *child = malloc(sizeof *child);
    if (!child)
        return EAGAIN;
    *child = (stranger){start, argument};
    int result = __real_pthread_create(handle, attributes, begin_stranger, child);
    if (result != 0)
        __real_free(child);
    return result;
}

DEFINE(int, pthread_create, pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
       void *argument)
{
    mz__settle();
    uint32_t number = mz__number_of_child();
    if (number == MZ__UNKNOWN)
        return create_stranger(handle, attributes, start, argument);
    mz__participant *child = &mz__participants[number];
    child->start = start;
    child->argument = argument;
    atomic_fetch_add_explicit(&mz__running_threads, 1, memory_order_relaxed);
    mz__let_run(number);
    int result = __real_pthread_create(handle, attributes, begin_thread, child);
    if (result == 0) {
        mz__note_handle(number, *handle);
    } else {
        mz__refuse("a thread could not be created");
        mz__self.children--;
        atomic_fetch_sub_explicit(&mz__running_threads, 1, memory_order_relaxed);
    }
    return result;
}

DEFINE(int, pthread_join, pthread_t handle, void **result)
{
    mz__settle();
    atomic_fetch_sub_explicit(&mz__running_threads, 1, memory_order_relaxed);
    uint32_t joined = mz__now_joins(handle);
    int error;
    MZ__LETTING_OTHERS(error = __real_pthread_join(handle, result));
    mz__has_joined(joined);
    atomic_fetch_add_explicit(&mz__running_threads, 1, memory_order_relaxed);
    return error;
}

__attribute__((noreturn)) void __real_pthread_exit(void *result);
__attribute__((noreturn)) void __wrap_pthread_exit(void *result);
__attribute__((noreturn)) void __wrap_pthread_exit(void *result)
{
    end_thread();
    __real_pthread_exit(result);
}

DEFINE(int, pthread_cancel, pthread_t handle)
{
    mz__refuse("it cancels a thread, which cannot be enforced");
    return __real_pthread_cancel(handle);
}

/* ---- waiting for time to pass ---------------------------------------------------------------------------
 */

DEFINE(int, sched_yield, void)
{
    int result;
    mz__settle();
    MZ__LETTING_OTHERS(result = __real_sched_yield());
    return result;
}

DEFINE(unsigned, sleep, unsigned seconds)
{
    unsigned result;
    mz__settle();
    MZ__LETTING_OTHERS(result = __real_sleep(seconds));
    return result;
}

DEFINE(int, usleep, useconds_t microseconds)
{
    int result;
    mz__settle();
    MZ__LETTING_OTHERS(result = __real_usleep(microseconds));
    return result;
}

DEFINE(int, nanosleep, const struct timespec *time, struct timespec *remaining)
{
    int result;
    mz__settle();
    MZ__LETTING_OTHERS(result = __real_nanosleep(time, remaining));
    return result;
}

DEFINE(int, clock_nanosleep, clockid_t clock, int flags, const struct timespec *time,
       struct timespec *remaining)
{
    int result;
    mz__settle();
    MZ__LETTING_OTHERS(result = __real_clock_nanosleep(clock, flags, time, remaining));
    return result;
}
