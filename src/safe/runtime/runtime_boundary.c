/* Loop boundaries (mz_loop_boundary() of mazurka.h) under a plan for iterations (wire/plan_format.h).
 *
 * A thread waits at its boundary until every other one has *stopped*: it is at its boundary, too, waits for a
 * condition variable that nobody has signalled, waits for the end of a thread that has not ended, or has
 * ended itself. That is when the checker opens a boundary (program/runtime/boundary/loop_boundary.c);
 * programs in which threads wait in other ways at a boundary have no plan. Then counts begin anew, for those
 * at the boundary, and all of them go on.
 *
 * Each thread says what it does in a word of its own. It is set to RUNS by whoever lets the thread go on: by
 * a signal before the waiting thread is told, by who opens a boundary. A thread that stops says so first, and
 * then looks whether all have stopped: the last one finds that out, so that nobody has to look again later.
 *
 * Why a look is right, though the words are read one after the other. Suppose that all were found stopped,
 * but some thread X runs at the end of the look. Somebody, Y, has let it go on after its word was read, so Y
 * ran at that time, and has stopped before its own word was read. But Y has counted `wakes` in between, after
 * it had set the word of X and before its own; the look compares `wakes` before and after, and it would be
 * another number. (All of these are sequentially consistent.) Then Y looks, too, after it has stopped.
 *
 * *Outside.* Between mz_outside_begin() and mz_outside_end() a thread counts as stopped, and boundaries are
 * opened without it: in the check it was chosen then that it stays (program/runtime/boundary/outside.c), and
 * all that the others do meanwhile was verified. When it comes back there are two ways:
 *  - It waits for the next boundary, as one that has come to mz_loop_boundary(). In the check it is chosen
 *    there that it goes on.
 *  - It joins the iteration that the others are in, at once, if that has begun after it went outside. In the
 *    check it was chosen at that boundary that it goes on, and its first operation happened only now: any
 *    delay of a thread is one of the schedules that were explored. What has happened in between must agree
 *    with that: nobody has looked whether this thread's operations are over and found that it is not in the
 *    iteration. So a thread that another one's operation waits for (a source of a constraint) does not join.
 * Either way it has at most one part in an iteration, as in the check: a thread that went outside in this one
 * waits for the next. Going back is decided under the lock of those who look, so that a boundary is opened
 * before it, without the thread, or after it, and then not before the thread has stopped again.
 *
 * *Asleep.* A thread that waits for a condition variable has stopped, too, and it is not known whether
 * anybody will signal it in this iteration. Its constraints hold meanwhile: who waits for one of its
 * operations is *held*. If all have stopped or are held, the iteration of all who sleep is over, as far as
 * others wait for it, and stays so when they go on: as it was verified (safe/plan/quiescence.c). Only if
 * nobody is held is the boundary opened. Who sleeps then has its part in the iteration in which it is
 * signalled, from taking its mutex again. A thread counts as held for as long as its source has not happened:
 * who makes it happen has counted that in `wakes` before it stops itself, so that a look cannot see the one
 * without the other.
 *
 * So nobody waits for a thread that waits for the world. A thread that comes back waits, if at all, until
 * those have stopped that are at work then.
 *
 * Nothing grows with the number of iterations. */
#include "safe/runtime/runtime_boundary.h"
#include "safe/runtime/follow/runtime_serial.h"

#include <unistd.h>

typedef enum doing {
    UNBORN,
    RUNS,
    AT_BOUNDARY,
    OUTSIDE,
    WAITS, /* for a condition variable; nobody has signalled it */
    HELD,  /* by a constraint */
    JOINS,
    ENDED,
} doing;

static struct {
    _Alignas(64) _Atomic uint32_t doing;
    _Atomic uint32_t joins;               /* thread */
    _Atomic uint32_t held_by, held_until; /* thread, count */
    pthread_t handle;
    uint32_t part_of; /* when it went outside: the iteration then */
    bool is_source;   /* operations of others wait for some of its own */
} threads[MZ_PLAN_MOST_THREADS];

static _Alignas(64) _Atomic uint32_t lock;       /* one looks at a time */
static _Atomic uint32_t wakes;                   /* how often a thread was let go on by another */
static _Alignas(64) _Atomic uint32_t generation; /* of iterations: changes when a boundary is opened */

static bool is_known(uint32_t thread)
{
    return mz__iterates && thread < MZ_PLAN_MOST_THREADS;
}

static bool is_held(uint32_t thread)
{
    uint32_t by = atomic_load(&threads[thread].held_by);
    return atomic_load(&mz__participants[by].done) < atomic_load(&threads[thread].held_until);
}

static bool has_stopped(uint32_t thread)
{
    switch (atomic_load(&threads[thread].doing)) {
    case RUNS:
        return false;
    case HELD:
        return is_held(thread);
    case JOINS:
        return atomic_load(&threads[atomic_load(&threads[thread].joins)].doing) != ENDED;
    default:
        return true;
    }
}

static void record_of(uint32_t thread, enum mz_record_place where)
{
    if (mz__records)
        mz__record(MZ_RECORD_ITERATION, thread, where, 0, MZ_PLAN_NO_PLACE);
}

/* Nobody is at work who could wake one of them. */
static void pass_over_sleepers(void)
{
    for (uint32_t u = 0; u < MZ_PLAN_MOST_THREADS; u++)
        if (atomic_load(&threads[u].doing) == WAITS &&
            atomic_load(&mz__participants[u].done) != MZ_PLAN_ITERATION_END) {
            record_of(u, MZ_RECORD_PASSED);
            atomic_store(&mz__participants[u].done, MZ_PLAN_ITERATION_END);
            mz__wake_waiters(&mz__participants[u].done, UINT32_MAX);
        }
}

static void open_boundary(void)
{
    mz__free_iteration();
    for (uint32_t u = 0; u < MZ_PLAN_MOST_THREADS; u++)
        if (atomic_load(&threads[u].doing) == WAITS) {
            record_of(u, MZ_RECORD_ASLEEP);
            mz__forget_iteration(u);
        }
    if (mz__records)
        mz__record(MZ_RECORD_ITERATION, mz__self.number, MZ_RECORD_OPENS, 0, MZ_PLAN_NO_PLACE);
    for (uint32_t u = 0; u < MZ_PLAN_MOST_THREADS; u++)
        if (atomic_load(&threads[u].doing) == AT_BOUNDARY) {
            mz__forget_iteration(u);
            atomic_store(&threads[u].doing, RUNS);
        }
    atomic_fetch_add(&generation, 1);
    mz__wake(&generation, INT32_MAX);
}

static void look_whether_all_have_stopped(void)
{
    bool all = true, any = false, held = false;
    mz__take(&lock);
    uint32_t before = atomic_load(&wakes);
    for (uint32_t u = 0; u < MZ_PLAN_MOST_THREADS && all; u++) {
        any |= atomic_load(&threads[u].doing) == AT_BOUNDARY;
        held |= atomic_load(&threads[u].doing) == HELD;
        all = has_stopped(u);
    }
    all = all && atomic_load(&wakes) == before;
    if (all && held)
        pass_over_sleepers();
    else if (all && any)
        open_boundary();
    mz__give(&lock);
}

static void stop(doing what)
{
    atomic_store(&threads[mz__self.number].doing, what);
    look_whether_all_have_stopped();
}

/* ---- the boundary -----------------------------------------------------------------------------------------
 */

static void wait_for_next(uint32_t now)
{
    mz__hope hope = {0};
    while (atomic_load(&generation) == now && mz__hopes(&hope))
        continue;
    mz__has_hoped(&hope);
    while (atomic_load(&generation) == now)
        mz__sleep_while(&generation, now, CLOCK_MONOTONIC, NULL);
}

void mz_loop_boundary(void);
void mz_loop_boundary(void)
{
    mz__settle();
    if (!mz__iterates) /* no constraints: nobody waits */
        return;
    if (!is_known(mz__self.number)) {
        mz__refuse_under_plan("a thread that was not expected comes to a loop boundary");
        return;
    }
    uint32_t now = atomic_load(&generation);
    mz__end_iteration(MZ_RECORD_BOUNDARY);
    stop(AT_BOUNDARY);
    MZ__LETTING_OTHERS(wait_for_next(now));
    mz__begin_iteration();
}

/* ---- outside ----------------------------------------------------------------------------------------------
 */

static void be_held(uint32_t by, uint32_t count)
{
    if (!is_known(mz__self.number))
        return;
    atomic_store(&threads[mz__self.number].held_by, by);
    atomic_store(&threads[mz__self.number].held_until, count);
    stop(HELD);
}

static void be_let_go(void)
{
    if (is_known(mz__self.number))
        atomic_store(&threads[mz__self.number].doing, RUNS);
}

static void count_wake(void)
{
    atomic_fetch_add(&wakes, 1);
}

void mz__find_sources(const mz_plan_image *plan)
{
    mz__tell_held = be_held;
    mz__tell_let_go = be_let_go;
    mz__tell_published = count_wake;
    const mz_plan_wait *waits = (const mz_plan_wait *)((const char *)plan + plan->waits);
    for (uint32_t i = 0; i < plan->wait_count; i++)
        threads[waits[i].thread].is_source = true;
}

void mz_outside_begin(void);
void mz_outside_begin(void)
{
    mz__settle();
    if (mz__is_serial())
        mz__leave_turn();
    if (!mz__iterates)
        return;
    if (!is_known(mz__self.number)) {
        mz__refuse_under_plan("a thread that was not expected goes outside");
        return;
    }
    threads[mz__self.number].part_of = atomic_load(&generation);
    mz__end_iteration(MZ_RECORD_OUTSIDE);
    stop(OUTSIDE);
}

static void join_iteration(uint32_t me)
{
    mz__forget_iteration(me);
    atomic_store(&threads[me].doing, RUNS);
    if (mz__records)
        mz__record(MZ_RECORD_ITERATION, me, MZ_RECORD_JOINS, 0, MZ_PLAN_NO_PLACE);
}

/* It runs, or (false) is at the boundary, before the iteration that is over when the number is another one.
 */
static bool come_back(uint32_t me, uint32_t *now)
{
    mz__take(&lock);
    *now = atomic_load(&generation);
    bool joins = !threads[me].is_source && threads[me].part_of != *now;
    if (joins)
        join_iteration(me);
    else
        atomic_store(&threads[me].doing, AT_BOUNDARY);
    if (!joins && mz__records)
        mz__record(MZ_RECORD_ITERATION, me, MZ_RECORD_BOUNDARY, 0, MZ_PLAN_NO_PLACE);
    mz__give(&lock);
    return joins;
}

void mz_outside_end(void);
void mz_outside_end(void)
{
    uint32_t now;
    if (mz__iterates && is_known(mz__self.number)) {
        if (!come_back(mz__self.number, &now)) {
            look_whether_all_have_stopped();
            wait_for_next(now);
        }
        mz__begin_iteration();
    }
    if (mz__is_serial())
        mz__take_turn();
}

void mz_boundary_ignore(const void *memory, size_t size);
void mz_boundary_ignore(const void *memory, size_t size)
{
    (void)memory;
    (void)size;
}

/* ---- what threads do otherwise ----------------------------------------------------------------------------
 */

void mz__let_run(uint32_t thread)
{
    if (!is_known(thread))
        return;
    atomic_store(&threads[thread].doing, RUNS);
    atomic_fetch_add(&wakes, 1);
}

void mz__now_waits(void)
{
    if (is_known(mz__self.number))
        atomic_store(&threads[mz__self.number].doing, WAITS);
}

void mz__has_stopped(void)
{
    if (is_known(mz__self.number))
        look_whether_all_have_stopped();
}

uint32_t mz__iteration(void)
{
    return atomic_load(&generation);
}

/* Boundaries are not opened while it runs. */
void mz__is_awake(uint32_t iteration)
{
    if (is_known(mz__self.number) && atomic_load(&generation) != iteration)
        mz__begin_iteration();
}

void mz__note_handle(uint32_t thread, pthread_t handle)
{
    if (is_known(thread))
        threads[thread].handle = handle;
}

/* Of a thread that nobody knows, or that was not created by one that is known, nothing can be told: who joins
 * it counts as running. */
uint32_t mz__now_joins(pthread_t handle)
{
    for (uint32_t u = 0; is_known(mz__self.number) && u < MZ_PLAN_MOST_THREADS; u++)
        if (atomic_load(&threads[u].doing) != UNBORN && threads[u].handle &&
            pthread_equal(threads[u].handle, handle)) {
            record_of(mz__self.number, MZ_RECORD_AWAITS);
            atomic_store(&threads[mz__self.number].joins, u);
            stop(JOINS);
            return u;
        }
    return MZ__UNKNOWN;
}

void mz__has_joined(uint32_t thread)
{
    if (thread == MZ__UNKNOWN)
        return;
    threads[thread].handle = 0; /* another one may get it */
    mz__let_run(mz__self.number);
}

void mz__has_ended(void)
{
    if (!is_known(mz__self.number))
        return;
    mz__end_iteration(MZ_RECORD_OVER);
    atomic_store(&threads[mz__self.number].doing, ENDED);
    atomic_fetch_add(&wakes, 1); /* who joins it goes on */
    look_whether_all_have_stopped();
}
