/* Time is virtual: nothing of it may come from outside, and nothing may depend on the
 * order of two steps that the algorithms take for independent.
 *
 * So every thread has a clock of its own. It advances when the thread sleeps and, a little, whenever it is
 * asked, so that loops until some time come to an end. And it is never behind what the thread could know: the
 * time that another thread has seen before something that happens before now (in the order in which
 * happens_before.c looks for races) is in the past. That keeps the promise of a clock, that time which is
 * passed on to others does not run backwards; and it is a function of the trace, as that order is.
 *
 * Each thread's clock therefore is a list of moments: from this epoch of its own on, it was so late. The
 * lists only grow in an execution, so that going back means going back to an earlier length. */
#include "program/world/clock.h"
#include "base/memory.h"
#include "program/world/causes.h"
#include "program/world/learning.h"
#include "program/world/progress.h"
#include "program/world/world.h"

enum { EPOCH = MZ__EPOCH, MILLISECOND = 1000000, SECOND = MZ__SECOND };

/* Where clocks stop to be moved on: they still go on by being asked, and must not begin anew. */
#define LATEST (UINT64_MAX / 2)

typedef struct moment {
    uint64_t epoch;
    uint64_t time;
    uint64_t step; /* serial of the one in which it was noted */
} moment;

typedef struct thread_clock {
    struct {
        uint64_t saved_in;
        size_t count;
    } length; /* on the trail */
    moment *moments;
    size_t capacity;
} thread_clock;

static thread_clock clocks[MZ_MAX_THREADS];

/* What it showed at this epoch of its thread, at the latest. */
static uint64_t time_at(const thread_clock *clock, uint64_t epoch)
{
    size_t low = 0, high = clock->length.count; /* the first moment after it lies in here */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (clock->moments[middle].epoch <= epoch)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? clock->moments[low - 1].time : 0;
}

static uint64_t latest_known(const mz__thread *t)
{
    uint64_t latest = 0;
    for (uint32_t other = 0; other < mz__w.state.thread_count; other++) {
        uint64_t time = time_at(&clocks[other], t->clock.of[other]);
        if (time > latest)
            latest = time;
    }
    return latest;
}

static void set_clock(const mz__thread *t, uint64_t time)
{
    thread_clock *clock = &clocks[t->number];
    if (clock->length.saved_in != mz__trail_now.serial) {
        MZ__SAVE(clock->length);
        clock->length.saved_in = mz__trail_now.serial;
    }
    moment now = {t->clock.of[t->number], time, mz__trail_now.serial}, *last = NULL;
    if (clock->length.count > 0)
        last = &clock->moments[clock->length.count - 1];
    if (last && last->step == now.step && last->epoch == now.epoch) {
        *last = now; /* going back leads to before both */
        return;
    }
    clock->moments =
        mz_grow(clock->moments, &clock->capacity, clock->length.count + 1, sizeof *clock->moments);
    clock->moments[clock->length.count++] = now;
}

/* What the others know must be kept from now on. */
static void needs_order(void)
{
    if (mz__w.state.thread_count <= 1 || mz__w.plain_accesses || mz__alone())
        return;
    mz__w.plain_accesses = true;
    if (mz__w.ignores_order)
        mz__learned();
}

uint64_t mz__clock_now(void)
{
    mz__thread *t = mz__w.current;
    needs_order();
    mz__made_progress(); /* a loop that looks at the clock does not stay the same */
    if (!mz__w.clock_used) {
        mz__w.clock_used = true;
        mz__learned();
    }
    uint64_t now = latest_known(t) + MILLISECOND;
    set_clock(t, now);
    return now;
}

/* Sleeping is no progress: a loop that looks, sleeps and looks again waits for a change all the same. Its
 * next round begins a little later, which nobody has asked. But the first one is not left out where somebody
 * looks at clocks: it is later afterwards. */
static void advance_to(uint64_t time)
{
    if (mz__w.clock_used)
        mz__w.current->slept = mz__w.current->visit_count;
    if (time > LATEST)
        time = LATEST;
    if (time > latest_known(mz__w.current))
        set_clock(mz__w.current, time);
}

/* Outside (runtime/boundary/outside.c) any time may pass, whatever the thread asked for: how long it was is
 * no part of the state, or there would be another one each time. */
void mz__clock_advance(uint64_t nanoseconds)
{
    if (mz__w.current->cold.outside)
        return;
    uint64_t time;
    bool too_late = __builtin_add_overflow(latest_known(mz__w.current), nanoseconds, &time);
    advance_to(too_late ? LATEST : time);
}

uint64_t mz__as_nanoseconds(time_t seconds, long nanoseconds)
{
    uint64_t time;
    return __builtin_mul_overflow((uint64_t)seconds, (uint64_t)SECOND, &time) ||
                   __builtin_add_overflow(time, (uint64_t)nanoseconds, &time)
               ? UINT64_MAX
               : time;
}

void mz__clock_pass(const struct timespec *deadline)
{
    if (deadline->tv_sec >= EPOCH)
        advance_to(mz__as_nanoseconds(deadline->tv_sec - EPOCH, deadline->tv_nsec));
}
