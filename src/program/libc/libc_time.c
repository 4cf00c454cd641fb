/* Clocks and sleeping. Time is virtual: nothing of it may come from outside, and nothing may depend on the
 * order of two steps that the algorithms take for independent.
 *
 * So every thread has a clock of its own. It advances when the thread sleeps and, a little, whenever it is
 * asked, so that loops until some time come to an end. And it is never behind what the thread could know: the
 * time that another thread has seen before something that happens before now (in the order in which order.c
 * looks for races) is in the past. That keeps the promise of a clock, that time which is passed on to others
 * does not run backwards; and it is a function of the trace, as that order is.
 *
 * Each thread's clock therefore is a list of moments: from this epoch of its own on, it was so late. The
 * lists only grow in an execution, so that going back means going back to an earlier length. */
#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "base/memory.h"
#include "program/pthread/endings.h"
#include "program/libc/libc.h"
#include "program/describe/noted_premises.h"

enum { EPOCH = 1000000000, MILLISECOND = 1000000, SECOND = MZ__SECOND };

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
    uint64_t now = latest_known(t) + MILLISECOND;
    set_clock(t, now);
    return now;
}

/* Sleeping is no progress: a loop that looks, sleeps and looks again waits for a change all the same. Its
 * next round begins a little later, which nobody has asked. */
static void advance_to(uint64_t time)
{
    if (time > LATEST)
        time = LATEST;
    if (time > latest_known(mz__w.current))
        set_clock(mz__w.current, time);
}

void mz__clock_advance(uint64_t nanoseconds)
{
    uint64_t time;
    bool too_late = __builtin_add_overflow(latest_known(mz__w.current), nanoseconds, &time);
    advance_to(too_late ? LATEST : time);
}

/* ---- clocks ---------------------------------------------------------------------------------------------
 */

static time_t seconds_now(void)
{
    return (time_t)(EPOCH + mz__clock_now() / SECOND);
}

static struct timespec as_timespec(uint64_t time)
{
    return (struct timespec){.tv_sec = EPOCH + (time_t)(time / SECOND), .tv_nsec = (long)(time % SECOND)};
}

MZ__HOOK(time_t, __wrap_time, time_t *result)
{
    mz__ask(MZ_PREMISE_CLOCK);
    time_t now = seconds_now();
    if (result)
        mz__write_memory(result, &now, sizeof now);
    return now;
}

MZ__HOOK(clock_t, __wrap_clock, void)
{
    mz__ask(MZ_PREMISE_CLOCK);
    return (clock_t)(mz__clock_now() / (SECOND / CLOCKS_PER_SEC));
}

static bool is_clock(clockid_t id)
{
    return id >= CLOCK_REALTIME && id <= CLOCK_TAI;
}

MZ__HOOK(int, __wrap_clock_gettime, clockid_t id, struct timespec *result)
{
    mz__ask(MZ_PREMISE_CLOCK);
    if (!is_clock(id)) {
        errno = EINVAL;
        return -1;
    }
    struct timespec now = as_timespec(mz__clock_now());
    mz__write_memory(result, &now, sizeof now);
    return 0;
}

MZ__HOOK(int, __wrap_clock_getres, clockid_t id, struct timespec *result)
{
    if (!is_clock(id)) {
        errno = EINVAL;
        return -1;
    }
    if (result)
        mz__write_memory(result, &(struct timespec){.tv_nsec = MILLISECOND}, sizeof *result);
    return 0;
}

MZ__HOOK(int, __wrap_timespec_get, struct timespec *result, int base)
{
    mz__ask(MZ_PREMISE_CLOCK);
    if (base != TIME_UTC)
        return 0;
    struct timespec now = as_timespec(mz__clock_now());
    mz__write_memory(result, &now, sizeof now);
    return base;
}

MZ__HOOK(int, __wrap_gettimeofday, struct timeval *result, void *zone)
{
    mz__ask(MZ_PREMISE_CLOCK);
    (void)zone;
    struct timespec now = as_timespec(mz__clock_now());
    mz__write_memory(result, &(struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000},
                     sizeof *result);
    return 0;
}

/* ---- sleeping --------------------------------------------------------------------------------------------
 */

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

MZ__HOOK(unsigned, __wrap_sleep, unsigned seconds)
{
    mz__test_cancel("sleep", true);
    mz__clock_advance(mz__as_nanoseconds(seconds, 0));
    return 0;
}

MZ__HOOK(int, __wrap_usleep, unsigned microseconds)
{
    mz__test_cancel("usleep", true);
    mz__clock_advance(UINT64_C(1000) * microseconds);
    return 0;
}

/* Returns the number of an error. */
static int sleep_for(const struct timespec *time, bool until)
{
    mz__plain_access((uintptr_t)time, sizeof *time, false);
    if (time->tv_nsec < 0 || time->tv_nsec >= SECOND || time->tv_sec < 0)
        return EINVAL;
    mz__test_cancel("nanosleep", true);
    if (!until)
        mz__clock_advance(mz__as_nanoseconds(time->tv_sec, time->tv_nsec));
    else
        mz__clock_pass(time);
    return 0;
}

MZ__HOOK(int, __wrap_nanosleep, const struct timespec *time, struct timespec *remaining)
{
    (void)remaining; /* nothing interrupts it */
    int error = sleep_for(time, false);
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

MZ__HOOK(int, __wrap_clock_nanosleep, clockid_t id, int flags, const struct timespec *time,
         struct timespec *remaining)
{
    (void)remaining;
    return is_clock(id) ? sleep_for(time, flags & TIMER_ABSTIME) : EINVAL;
}

/* ---- the calendar: it is that of Greenwich everywhere ----------------------------------------------------
 */

static struct tm *write_calendar(const time_t *time, struct tm *result)
{
    struct tm calendar;
    memset(&calendar, 0, sizeof calendar); /* what is between its members becomes memory of the program, too */
    mz__plain_access((uintptr_t)time, sizeof *time, false);
    if (!gmtime_r(time, &calendar))
        return NULL;
    mz__write_memory(result, &calendar, sizeof calendar);
    return result;
}

static struct tm *common_calendar(void)
{
    _Static_assert(sizeof(struct tm) <= sizeof mz__libc->calendar, "");
    return (struct tm *)(void *)mz__libc->calendar;
}

MZ__HOOK(struct tm *, __wrap_gmtime_r, const time_t *time, struct tm *result)
{
    return write_calendar(time, result);
}

MZ__HOOK(struct tm *, __wrap_localtime_r, const time_t *time, struct tm *result)
{
    return write_calendar(time, result);
}

MZ__HOOK(struct tm *, __wrap_gmtime, const time_t *time)
{
    return write_calendar(time, common_calendar());
}

MZ__HOOK(struct tm *, __wrap_localtime, const time_t *time)
{
    return write_calendar(time, common_calendar());
}

/* Times are those of Greenwich everywhere. */
static time_t time_of_calendar(struct tm *calendar)
{
    mz__plain_access((uintptr_t)calendar, sizeof *calendar, false);
    struct tm copy = *calendar;
    time_t time = timegm(&copy);
    mz__write_memory(calendar, &copy, sizeof copy);
    return time;
}

MZ__HOOK(time_t, __wrap_mktime, struct tm *calendar)
{
    return time_of_calendar(calendar);
}

MZ__HOOK(time_t, __wrap_timegm, struct tm *calendar)
{
    return time_of_calendar(calendar);
}

MZ__HOOK(size_t, __wrap_strftime, char *to, size_t room, const char *format, const struct tm *calendar)
{
    mz__string_length(format);
    mz__plain_access((uintptr_t)calendar, sizeof *calendar, false);
    char text[4096];
    size_t length = strftime(text, room < sizeof text ? room : sizeof text, format, calendar);
    if (length > 0)
        mz__write_memory(to, text, length + 1);
    return length;
}

static char *write_text_of(const struct tm *calendar, char *to)
{
    char text[sizeof mz__libc->calendar_text];
    if (!asctime_r(calendar, text))
        return NULL;
    mz__write_memory(to, text, strlen(text) + 1);
    return to;
}

static char *write_text_of_time(const time_t *time, char *to)
{
    struct tm calendar;
    mz__plain_access((uintptr_t)time, sizeof *time, false);
    return gmtime_r(time, &calendar) ? write_text_of(&calendar, to) : NULL;
}

static char *write_text_of_calendar(const struct tm *calendar, char *to)
{
    mz__plain_access((uintptr_t)calendar, sizeof *calendar, false);
    struct tm copy = *calendar;
    return write_text_of(&copy, to);
}

MZ__HOOK(char *, __wrap_ctime, const time_t *time)
{
    return write_text_of_time(time, mz__libc->calendar_text);
}

MZ__HOOK(char *, __wrap_ctime_r, const time_t *time, char *to)
{
    return write_text_of_time(time, to);
}

MZ__HOOK(char *, __wrap_asctime, const struct tm *calendar)
{
    return write_text_of_calendar(calendar, mz__libc->calendar_text);
}

MZ__HOOK(char *, __wrap_asctime_r, const struct tm *calendar, char *to)
{
    return write_text_of_calendar(calendar, to);
}
