#include "safe/verify/verify_sets.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "program/program.h"
#include "session/result.h"

/* Cases that share a plan. */
typedef struct group {
    mz_case *leader;
    mz_start *starts; /* of all of them */
    size_t start_count;
    mz_minimised result;
} group;

typedef struct work {
    mz_cases *cases;
    const mz_set_job *job; /* without starts */
    bool counts_accesses;
    group *groups;
    size_t count;
} work;

/* ---- groups -----------------------------------------------------------------------------------------------
 */

static void add_start(group *g, const mz_case *c)
{
    g->starts[g->start_count++] = (mz_start){c->inputs, c->input_count};
}

/* What is free of constraints already needs no set. */
static void find_groups(work *w)
{
    mz_cases *cases = w->cases;
    w->groups = mz_allocate_zeroed(cases->count, sizeof *w->groups);
    for (size_t i = 0; i < cases->count; i++) {
        if (cases->items[i].leader != i || cases->items[i].prefix == 0)
            continue;
        group *g = &w->groups[w->count++];
        g->leader = &cases->items[i];
        g->starts = mz_allocate_zeroed(cases->count, sizeof *g->starts);
        for (size_t k = 0; k < cases->count; k++)
            if (cases->items[k].leader == i)
                add_start(g, &cases->items[k]);
    }
}

static void release(work *w)
{
    for (size_t i = 0; i < w->count; i++)
        mz_release(w->groups[i].starts);
    mz_release(w->groups);
}

static mz_set_job job_for(const work *w, const group *g, double deadline)
{
    mz_set_job job = *w->job;
    job.starts = g->starts;
    job.start_count = g->start_count;
    job.deadline = deadline;
    return job;
}

/* ---- one set ----------------------------------------------------------------------------------------------
 */

/* With events and waits of its own. */
static mz_plan copy_of(const mz_plan *plan)
{
    mz_plan copy = *plan;
    copy.events = mz_allocate_zeroed(plan->event_count, sizeof *copy.events);
    copy.event_capacity = plan->event_count;
    memcpy(copy.events, plan->events, plan->event_count * sizeof *copy.events);
    copy.waits = mz_allocate_zeroed(plan->wait_count + 1, sizeof *copy.waits);
    copy.wait_capacity = plan->wait_count + 1;
    if (plan->wait_count > 0)
        memcpy(copy.waits, plan->waits, plan->wait_count * sizeof *copy.waits);
    return copy;
}

/* The time that is left is for all groups that are left. */
static double deadline_of(const work *w, size_t groups_left)
{
    double now = mz_seconds_now();
    return w->job->deadline > 0 ? now + (w->job->deadline - now) / (double)groups_left : 0;
}

/* A race that nobody had seen before: its accesses have to be in order when the program runs, and the plan
 * has no names for them. */
static bool is_out_of_date(const work *w, const mz_plan *plan)
{
    return mz_native_has_races(w->job->machine) && !plan->needs_fences;
}

static void minimise_group(work *w, group *g, double deadline)
{
    mz_plan *plan = mz_case_plan(g->leader, w->counts_accesses), set = copy_of(plan);
    mz_set_job job = job_for(w, g, deadline);
    set.prefix = g->leader->prefix;
    mz_minimise_plan(&job, &set, &g->result);
    if (g->result.has_set && is_out_of_date(w, plan)) {
        g->result.has_set = false;
        snprintf(g->result.reason, sizeof g->result.reason,
                 "accesses race that were not known to when the plan was made");
    }
    mz_release(g->result.has_set ? plan->events : set.events);
    mz_release(g->result.has_set ? plan->waits : set.waits);
    if (!g->result.has_set)
        return;
    *plan = set;
    g->leader->prefix = set.prefix;
}

/* ---- fewer sets -------------------------------------------------------------------------------------------
 */

static void follow(work *w, group *g, group *leader)
{
    size_t own = (size_t)(g->leader - w->cases->items);
    for (size_t i = 0; i < w->cases->count; i++)
        if (w->cases->items[i].leader == own)
            w->cases->items[i].leader = (size_t)(leader->leader - w->cases->items);
    g->start_count = 0;
}

/* One guard less if the set of another group is enough for this one as well, and is not larger. */
static bool can_follow(work *w, const group *g, group *leader)
{
    mz_minimised result;
    mz_plan *set = mz_case_plan(leader->leader, w->counts_accesses);
    size_t count = leader->start_count;
    if (!set->edges_only || leader->result.after > g->result.after)
        return false;
    for (size_t i = 0; i < g->start_count; i++)
        leader->starts[leader->start_count++] = g->starts[i];
    mz_set_job job = job_for(w, leader, w->job->deadline);
    bool enough = mz_set_is_enough(&job, set, &result) && !is_out_of_date(w, set);
    leader->result.trials += result.trials;
    if (enough)
        leader->result.traces = result.traces;
    else
        leader->start_count = count;
    return enough;
}

static void join_groups(work *w)
{
    for (size_t i = 1; i < w->count; i++)
        for (size_t k = 0; k < i && w->groups[i].leader->prefix > 0 && w->groups[i].result.has_set; k++)
            if (w->groups[k].start_count > 0 && w->groups[i].start_count > 0 &&
                can_follow(w, &w->groups[i], &w->groups[k]))
                follow(w, &w->groups[i], &w->groups[k]);
}

/* All that is free of constraints is one. */
static void join_free(mz_cases *cases)
{
    size_t first = cases->count;
    for (size_t i = 0; i < cases->count; i++) {
        mz_case *c = &cases->items[i];
        if (cases->items[c->leader].prefix > 0)
            continue;
        first = first == cases->count ? c->leader : first;
        c->leader = first;
    }
}

/* ---- all together -----------------------------------------------------------------------------------------
 */

static void add_up(const work *w, mz_minimised *result)
{
    *result = (mz_minimised){.tried = true, .is_minimal = true};
    for (size_t i = 0; i < w->count; i++) {
        const group *g = &w->groups[i];
        result->trials += g->result.trials;
        result->before += g->result.before;
        if (!g->result.has_set && !result->reason[0])
            memcpy(result->reason, g->result.reason, sizeof result->reason);
        if (g->start_count == 0 || !g->result.has_set)
            continue; /* it follows another one; or it keeps its prefix */
        result->has_set = true;
        result->is_minimal &= g->result.is_minimal;
        result->after += g->result.after;
        result->traces += g->result.traces;
    }
}

void mz_cases_minimise(mz_cases *cases, const mz_set_job *job, mz_minimised *result)
{
    work w = {.cases = cases, .job = job, .counts_accesses = mz_cases_fix_leaders(cases)};
    find_groups(&w);
    for (size_t i = 0; i < w.count; i++)
        minimise_group(&w, &w.groups[i], deadline_of(&w, w.count - i));
    join_groups(&w);
    join_free(cases);
    add_up(&w, result);
    release(&w);
}
