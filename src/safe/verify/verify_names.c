/* Other names for the events of the plans. While it is searched, every plain access of a program with races
 * has a name, since nobody knows yet which of them race. In the end that is known: all executions that the
 * plans allow have been explored, and of each access that was an event the line is noted (world/sites.h).
 * Accesses of other lines are no events in any of them, so nothing has to be told or asked there, and a
 * program that runs need not count them. So each first trace is run once more, and its events get names in
 * which only accesses of those lines count. Constraint sets that are looked for after this use the same
 * names; one under which another line races is not enough. */
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "program/program.h"
#include "safe/verify/verify_internal.h"

static bool do_accesses_count(const mz_verifier *w)
{
    bool count = false;
    for (size_t i = 0; i < w->cases.count; i++)
        count |= w->cases.items[i].plan.counts_accesses;
    return count;
}

/* The same events, whatever their names. */
static bool is_same_trace(const mz_plan *a, const mz_plan *b)
{
    bool same = a->event_count == b->event_count && a->length == b->length &&
                a->thread_count == b->thread_count && a->wait_count == b->wait_count;
    for (size_t i = 0; same && i < a->event_count; i++)
        same = a->events[i].thread == b->events[i].thread && a->events[i].kind == b->events[i].kind;
    return same;
}

static bool rename_case(mz_verifier *w, mz_case *c, mz_plan *plan)
{
    mz_safe_prefix p;
    mz_result result = w->result;
    mz_limits limits = w->settings.search.limits;
    w->now = c;
    w->renamed = plan;
    w->is_renamed = false;
    w->settings.search.limits = (mz_limits){0};
    mz_verifier_search(w, &p);
    bool same = w->is_renamed && !w->result.search.begin_again && is_same_trace(plan, &c->plan);
    mz_result_release(&w->result);
    mz_schedule_release(&p.other);
    w->settings.search.limits = limits;
    w->renamed = NULL;
    w->result = result;
    return same;
}

/* What is known of the old one beside its trace. */
static void use_names(mz_case *c, mz_plan *plan)
{
    mz_plan *old = mz_case_plan(c, true);
    mz_plan_release(old);
    *old = *plan;
    *plan = (mz_plan){0};
}

void mz_verifier_name_racing_lines(mz_verifier *w)
{
    if (w->job->beside || mz_interrupted || !mz_cases_are_offered(&w->cases) || !do_accesses_count(w) ||
        !mz_native_count_racing_lines(w->machine, &w->lines, &w->line_count))
        return;
    size_t count = w->cases.count;
    mz_plan *plans = mz_allocate_zeroed(count, sizeof *plans);
    bool all = true;
    mz_native_prepare(w->machine);
    for (size_t i = 0; i < count && all; i++)
        all = rename_case(w, &w->cases.items[i], &plans[i]);
    for (size_t i = 0; i < count && all; i++)
        use_names(&w->cases.items[i], &plans[i]);
    w->names_racing_lines = all;
    if (!all) { /* the plan is not to name lines that its counts know nothing of */
        mz_release(w->lines);
        w->lines = NULL;
        w->line_count = 0;
        mz_native_count_all_lines(w->machine);
        mz_native_prepare(w->machine);
    }
    for (size_t i = 0; i < count; i++)
        mz_plan_release(&plans[i]);
    mz_release(plans);
}
