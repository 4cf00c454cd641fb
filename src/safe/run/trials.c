#include "safe/run/trials.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "safe/run/run_measure.h"
#include "safe/verify/verify_beside.h"
#include "search/limits.h"

/* So long is measured at a time; the more runs, the less chance has a say in it. */
static const double measuring_seconds = 1;

bool mz_trials_wanted(const mz_plan_settings *settings)
{
    return (settings->first_trace == MZ_FIRST_FREE_RUN && !settings->free_run) || settings->tune ||
           settings->has_overhead;
}

static mz_run_program program_of(const mz_trials *t)
{
    return (mz_run_program){.name = t->settings->check.files[0],
                            .arguments = &t->settings->check.arguments,
                            .plan = -1,
                            .record = -1,
                            .output = -1,
                            .messages = -1};
}

static void observe(mz_trials *t, mz_error *error)
{
    mz_run_program program = program_of(t);
    program.path = t->runnable->compiled.program;
    t->free_run = mz_run_observe(&program, &t->descriptor, error);
    t->settings->free_run = t->free_run;
}

/* ---- which trace is the first (--tune) ------------------------------------------------------------------
 */

enum { MOST_MEASURED = 3 };

typedef struct candidate {
    mz_first_trace which;
    mz_symbolic_plan plan; /* with all constraints */
    double cost;
    uint64_t constraints; /* a hash: equal if these are the same */
} candidate;

static uint64_t hash_constraints(const mz_symbolic_plan *symbolic)
{
    uint64_t sum = 0;
    for (size_t p = 0; p < symbolic->plan_count; p++)
        for (size_t i = 0; i < symbolic->plans[p].length; i++) {
            const mz_plan *plan = &symbolic->plans[p];
            const mz_plan_event *e = &plan->events[i];
            uint64_t event = mz_mix64((uint64_t)e->thread << 32 | e->count) + p;
            for (uint32_t w = 0; w < e->wait_count; w++) {
                const mz_plan_wait *wait = &plan->waits[e->first_wait + w];
                sum += mz_mix64(3 * event + mz_mix64((uint64_t)wait->thread << 32 | wait->count));
            }
        }
    return sum;
}

/* The first trace by this rule, verified. False: there is none. */
static bool find_candidate(mz_trials *t, mz_first_trace which, candidate *c, mz_error *error)
{
    mz_plan_settings settings = *t->settings;
    settings.first_trace = which;
    settings.check.search.limits.traces = 1;
    mz_beside *beside = mz_beside_begin(&settings, &t->runnable->compiled, error);
    bool found = beside && mz_beside_wait_for_plan(beside) && mz_beside_plan(beside, &c->plan);
    if (found) {
        const mz_verification *v = mz_beside_verification(beside);
        *c = (candidate){.which = atomic_load(&v->first_trace), .plan = c->plan, .cost = v->cost};
        for (size_t i = 0; i < c->plan.plan_count; i++)
            c->plan.plans[i].prefix = c->plan.plans[i].length;
        c->constraints = hash_constraints(&c->plan);
        if (c->which != which) {
            mz_symbolic_release(&c->plan);
            found = false;
        }
    }
    mz_beside_end(beside);
    return found;
}

static int compare_costs(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->cost < y->cost ? -1 : x->cost > y->cost ? 1 : (int)x->which - (int)y->which;
}

static bool is_new(const candidate *c, const candidate *others, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (others[i].constraints == c->constraints)
            return false;
    return true;
}

static size_t find_candidates(mz_trials *t, candidate *found, mz_error *error)
{
    size_t count = 0;
    for (int i = MZ_FIRST_AUTO + 1; i < MZ_FIRST_TRACE_COUNT && !error->set; i++) {
        candidate c;
        if (!find_candidate(t, (mz_first_trace)i, &c, error))
            continue;
        if (is_new(&c, found, count))
            found[count++] = c;
        else
            mz_symbolic_release(&c.plan);
    }
    qsort(found, count, sizeof *found, compare_costs);
    return count;
}

static bool make_point(mz_trials *t, const mz_symbolic_plan *plan, mz_run_point *point, mz_error *error)
{
    if (plan->plans[0].counts_accesses &&
        !mz_runnable_count_accesses(t->runnable, &t->settings->check, error))
        return false;
    point->path = t->runnable->path;
    point->plan = mz_run_make_image(plan, 0, t->runnable->symbols, error);
    return !error->set;
}

static mz_run_point free_point(const mz_trials *t)
{
    return (mz_run_point){.path = t->runnable->compiled.program, .plan = -1};
}

static void tell_tuning(const mz_trials *t, const candidate *c, const mz_run_point *points, size_t count,
                        size_t best)
{
    fprintf(stderr, "mazurka %s: all constraints of", t->command);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s %s: %.2f ms", i ? "," : "", mz_first_trace_name(c[i].which),
                points[i + 1].seconds * 1e3);
    fprintf(stderr, "; none: %.2f ms; begins with %s\n", points[0].seconds * 1e3,
            mz_first_trace_name(c[best].which));
}

static void tune(mz_trials *t, mz_error *error)
{
    candidate found[MZ_FIRST_TRACE_COUNT];
    mz_run_point points[MOST_MEASURED + 1] = {free_point(t)};
    size_t count = find_candidates(t, found, error), best = 0, measured = 0;
    while (measured < count && measured < MOST_MEASURED && !error->set)
        if (make_point(t, &found[measured].plan, &points[measured + 1], error))
            measured++;
    mz_run_program program = program_of(t);
    if (measured > 0 && mz_run_measure(&program, points, measured + 1, measuring_seconds, error)) {
        for (size_t i = 1; i < measured; i++)
            if (points[i + 1].seconds < points[best + 1].seconds)
                best = i;
        t->settings->first_trace = found[best].which;
        tell_tuning(t, found, points, measured, best);
    }
    for (size_t i = 0; i < measured; i++)
        close(points[i + 1].plan);
    for (size_t i = 0; i < count; i++)
        mz_symbolic_release(&found[i].plan);
}

bool mz_trials_begin(mz_trials *t, const char *command, mz_plan_settings *settings, mz_runnable *runnable,
                     mz_error *error)
{
    *t = (mz_trials){.settings = settings, .runnable = runnable, .command = command, .descriptor = -1};
    if ((settings->first_trace == MZ_FIRST_FREE_RUN && !settings->free_run) ||
        (settings->tune && settings->first_trace == MZ_FIRST_AUTO))
        observe(t, error);
    if (settings->tune && settings->first_trace == MZ_FIRST_AUTO && !error->set)
        tune(t, error);
    return !error->set;
}

void mz_trials_end(mz_trials *t)
{
    mz_run_record_release(t->free_run, t->descriptor);
}

/* ---- how much slower it is (--overhead) -----------------------------------------------------------------
 */

static void tell_overhead(const mz_trials *t, const mz_symbolic_plan *plan, const mz_run_point *points,
                          double overhead)
{
    fprintf(stderr, "mazurka %s: with %zu of %zu constraints %.2f ms instead of %.2f ms: %+.1f %%; ",
            t->command, mz_symbolic_constraints(plan), mz_symbolic_constraints_at_first(plan),
            points[1].seconds * 1e3, points[0].seconds * 1e3, overhead * 100);
    fprintf(stderr, "%" PRIu64 " trace%s verified\n", plan->plans[0].traces,
            plan->plans[0].traces == 1 ? "" : "s");
}

static bool is_fast_enough(mz_trials *t, mz_verification *v, const mz_symbolic_plan *plan, mz_error *error)
{
    uint32_t length;
    bool free = mz_symbolic_prefix(plan, &length) == 0; /* then there is nothing to measure */
    mz_run_point points[2] = {free_point(t), {.plan = -1}};
    mz_run_program program = program_of(t);
    if (free || !make_point(t, plan, &points[1], error))
        return free;
    mz_verification_pause(v, true);
    bool good = mz_run_measure(&program, points, 2, measuring_seconds, error);
    mz_verification_pause(v, false);
    close(points[1].plan);
    double overhead = points[1].seconds / points[0].seconds - 1;
    if (good) {
        tell_overhead(t, plan, points, overhead);
        v->overhead = overhead;
    }
    return good && overhead <= t->settings->overhead;
}

bool mz_trials_wait(mz_trials *t, mz_verification *v, mz_error *error)
{
    enum { MILLISECONDS = 20 };
    uint64_t measured = UINT64_MAX; /* constraints and prefix then */
    bool enough = !t->settings->has_overhead;
    while (!enough && !error->set && mz_ending_signal() == 0) {
        mz_symbolic_plan plan;
        bool is_over = mz_verification_is_over(v); /* first: there may be another plan just before */
        uint32_t length;
        if (mz_verification_plan(v, &plan)) {
            uint64_t now =
                (uint64_t)mz_symbolic_constraints(&plan) << 32 | mz_symbolic_prefix(&plan, &length);
            enough = now != measured && is_fast_enough(t, v, &plan, error);
            is_over &= now == measured;
            measured = now;
        }
        mz_symbolic_release(&plan);
        if (is_over)
            break;
        poll(NULL, 0, MILLISECONDS);
    }
    return !error->set;
}

pid_t mz_trials_watch(mz_trials *t, mz_verification *v, mz_error *error)
{
    v->overhead = -1;
    if (!t->settings->has_overhead)
        return 0;
    pid_t us = getpid(), watcher = fork();
    if (watcher < 0)
        mz_error_set(error, (mz_position){0}, "no process could be made: %s", strerror(errno));
    if (watcher != 0)
        return watcher < 0 ? 0 : watcher;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == us && !mz_trials_wait(t, v, error))
        snprintf(v->trouble, sizeof v->trouble, "%s", mz_text_string(&error->message));
    atomic_store(&v->enough, true);
    mz_compiled_release(&t->runnable->counting);
    _exit(0);
}

void mz_trials_end_watching(pid_t watcher, const mz_verification *v, mz_error *error)
{
    while (watcher > 0 && waitpid(watcher, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (watcher > 0 && v->trouble[0])
        mz_error_set(error, (mz_position){0}, "%s", v->trouble);
}
