/* Clocks, sleeping, the calendar. Time is virtual: clock.c. */
#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "base/memory.h"
#include "program/libc/libc.h"
#include "program/loops/overdue.h"
#include "program/pthread/endings.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/world/clock.h"
#include "program/world/fiber.h"
#include "program/world/noted_premises.h"

enum { EPOCH = MZ__EPOCH, MILLISECOND = 1000000, SECOND = MZ__SECOND };

/* ---- clocks ---------------------------------------------------------------------------------------------
 */

static time_t seconds_now(void)
{
    mz__goes_about(1);
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
    mz__ask(MZ_PREMISE_CLOCK);
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
    memset(&calendar, 0,
           sizeof calendar); /* what is between its members becomes memory of the program, too */
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
    mz__ask(MZ_PREMISE_ZONE);
    return write_calendar(time, result);
}

MZ__HOOK(struct tm *, __wrap_gmtime, const time_t *time)
{
    return write_calendar(time, common_calendar());
}

MZ__HOOK(struct tm *, __wrap_localtime, const time_t *time)
{
    mz__ask(MZ_PREMISE_ZONE);
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
    mz__ask(MZ_PREMISE_ZONE);
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
    mz__ask(MZ_PREMISE_ZONE);
    return write_text_of_time(time, mz__libc->calendar_text);
}

MZ__HOOK(char *, __wrap_ctime_r, const time_t *time, char *to)
{
    mz__ask(MZ_PREMISE_ZONE);
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

MZ__HOOK(int, __wrap_thrd_sleep, const struct timespec *time, struct timespec *remaining)
{
    return mz__hook___wrap_nanosleep(time, remaining);
}
