/* A thread that never ends is followed for 100,000 events (--max-depth) before the others have their turn,
 * and what is different in its last events is looked at first. A bug that the first few events of every
 * thread are enough for is far away then. So in a program with such threads there are short searches before
 * the long one, in which every thread is left after a number of events of its own (program/describe/stuck.c).
 *
 * A bug that is found so is one: what was left has done all that it did. And it is found again in every order
 * of the same trace, since how many events a thread has made does not depend on the order. From a search
 * without a bug nothing is concluded. */
#include "session/stages.h"

#include "program/program.h"
#include "session/learn.h"
#include "session/process/wide.h"

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

/* One of them. */
typedef struct stage {
    const mz_settings *settings;
    mz_machine *machine;
    const mz_algorithm *algorithm;
    double started, begun; /* of the whole check; of this */
    mz_result *result;
    bool found;
} stage;

/* Again, if something new was learned and there is time. */
static bool search_stage(void *context)
{
    stage *g = context;
    mz_settings s = *g->settings;
    s.quiet = true;
    limit_stage(&s.search.limits, g->begun - g->started);
    s.search.limits.seconds_before = mz_seconds_now() - g->started;
    mz_result_run(g->result, g->machine, &s, s.files[0], g->algorithm);
    bool again = g->result->search.begin_again;
    g->found = !again && g->result->report.verdict == MZ_UNSAFE;
    if (g->found)
        return false;
    mz_result_release(g->result);
    *g->result = (mz_result){0};
    return again && mz_seconds_now() - g->started <= s.search.limits.seconds;
}

bool mz_search_in_stages(const mz_settings *settings, mz_machine *machine, const mz_algorithm *algorithm,
                         double started, mz_result *result)
{
    bool found = false;
    for (int i = 0; i < STAGES && !found; i++) {
        mz_native_limit_events(machine, stages[i]);
        stage g = {settings, machine, algorithm, started, mz_seconds_now(), result, false};
        mz_learn(machine, mz_native_prepare, false, search_stage, &g);
        found = g.found;
    }
    if (!found)
        mz_native_limit_events(machine, 0);
    return found;
}
