/* A thread that never ends is followed for 100,000 events (--max-depth) before the others have their turn,
 * and what is different in its last events is looked at first. A bug that the first few events of every
 * thread are enough for is far away then. So in a program with such threads there are short searches before
 * the long one, in which every thread is left after a number of events of its own (program/runtime/stuck.c).
 *
 * A bug that is found so is one: what was left has done all that it did. And it is found again in every order
 * of the same trace, since how many events a thread has made does not depend on the order. From a search
 * without a bug nothing is concluded. */
#include "session/stages.h"

#include <string.h>

#include "session/wide.h"
#include "program/program.h"

/* More events of one thread are many. */
enum { MANY = 1000 };

static const uint64_t stages[] = {12, 40, 400};
enum { STAGES = sizeof stages / sizeof *stages };

/* For one of them. */
enum { EVENTS = 200000 };
static const double seconds = 1.5, share_of_limit = 0.12;

/* The program for many threads (wide.h) has its turn after the one for few, which has done that. */
bool mz_prepare_and_look(mz_machine *machine, bool first, const volatile bool *too_many_threads)
{
    first &= MZ_MAX_THREADS < MZ_WIDE_THREADS;
    if (first)
        mz_native_limit_events(machine, MANY);
    mz_native_prepare(machine);
    bool long_ones = first && (mz_native_left_threads(machine) || *too_many_threads);
    if (first)
        mz_native_limit_events(machine, 0);
    return long_ones;
}

static void limit_stage(mz_limits *limits, double spent)
{
    double most = limits->seconds > 0 ? limits->seconds * share_of_limit : seconds;
    limits->seconds_before = spent;
    limits->seconds = spent + (most < seconds ? most : seconds);
    if (limits->events == 0 || limits->events > EVENTS)
        limits->events = EVENTS;
    limits->longest = 0;
    limits->stuck = 0;
}

static bool is_bug(const mz_result *result)
{
    return !result->search.begin_again && strcmp(result->report.verdict, "unsafe") == 0;
}

/* Until nothing new is learned, or the time is over. */
static bool search_stage(const mz_settings *settings, mz_machine *machine, const mz_algorithm *algorithm,
                         double started, mz_result *result)
{
    double begun = mz_seconds_now();
    for (;;) {
        mz_settings s = *settings;
        s.quiet = true;
        limit_stage(&s.search.limits, begun - started);
        s.search.limits.seconds_before = mz_seconds_now() - started;
        mz_native_prepare(machine);
        mz_result_run(result, machine, &s, s.files[0], algorithm);
        if (is_bug(result))
            return true;
        bool again = result->search.begin_again;
        mz_result_release(result);
        *result = (mz_result){0};
        if (!again || mz_seconds_now() - started > s.search.limits.seconds)
            return false;
    }
}

bool mz_search_in_stages(const mz_settings *settings, mz_machine *machine, const mz_algorithm *algorithm,
                         double started, mz_result *result)
{
    bool found = false;
    for (int i = 0; i < STAGES && !found; i++) {
        mz_native_limit_events(machine, stages[i]);
        found = search_stage(settings, machine, algorithm, started, result);
    }
    if (!found)
        mz_native_limit_events(machine, 0);
    return found;
}
