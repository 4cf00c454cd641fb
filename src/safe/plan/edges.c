/* From plans to constraint sets and back. */
#include "base/memory.h"
#include "safe/plan/small_set.h"

void mz_edges_release(mz_edges *set)
{
    mz_release(set->edges);
    *set = (mz_edges){0};
}

static void add(mz_edges *set, mz_edge edge)
{
    set->edges = mz_grow(set->edges, &set->capacity, set->count + 1, sizeof *set->edges);
    set->edges[set->count++] = edge;
}

/* ---- rules as edges ---------------------------------------------------------------------------------------
 */

static mz_plan_wait name_of(const mz_plan_event *event)
{
    return (mz_plan_wait){event->thread, event->count};
}

/* The last events of the prefix: nothing in it is known to come after them. (Something may, because of a
 * thread that was created or joined: then there are more edges than needed, and these go first.) */
static size_t last_events(const mz_plan *plan, mz_plan_wait last[MZ_PLAN_MOST_THREADS])
{
    uint32_t latest[MZ_PLAN_MOST_THREADS] = {0}; /* of each thread its last count in the prefix */
    bool awaited[MZ_PLAN_MOST_THREADS] = {false};
    size_t count = 0;
    for (uint32_t i = 0; i < plan->prefix; i++)
        latest[plan->events[i].thread] = plan->events[i].count;
    for (size_t i = 0; i < mz_plan_constraints(plan, plan->prefix); i++)
        awaited[plan->waits[i].thread] |= plan->waits[i].count == latest[plan->waits[i].thread];
    for (uint32_t t = 0; t < plan->thread_count; t++)
        if (latest[t] > 0 && !awaited[t])
            last[count++] = (mz_plan_wait){t, latest[t]};
    return count;
}

void mz_edges_of_plan(const mz_plan *plan, mz_edges *set)
{
    mz_plan_wait last[MZ_PLAN_MOST_THREADS];
    bool followed[MZ_PLAN_MOST_THREADS] = {false};
    size_t last_count = last_events(plan, last);
    for (size_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        bool in_prefix = i < plan->prefix;
        for (uint32_t w = 0; in_prefix && w < e->wait_count; w++)
            add(set, (mz_edge){plan->waits[e->first_wait + w], name_of(e)});
        for (size_t l = 0; !in_prefix && !followed[e->thread] && l < last_count; l++)
            if (last[l].thread != e->thread)
                add(set, (mz_edge){last[l], name_of(e)});
        followed[e->thread] |= !in_prefix;
    }
}

/* ---- edges as a plan --------------------------------------------------------------------------------------
 */

static bool is_same(mz_plan_wait a, mz_plan_wait b)
{
    return a.thread == b.thread && a.count == b.count;
}

/* Of an event that no edge names nothing is left to say. The others stay in the order of the trace: so
 * whatever one waits for stands before it. Without any edge all is verified: an empty prefix. */
void mz_plan_keep_edges(mz_plan *plan, const mz_edges *set)
{
    size_t kept = 0;
    if (set->count == 0) {
        plan->prefix = 0;
        return;
    }
    plan->waits = mz_grow(plan->waits, &plan->wait_capacity, set->count, sizeof *plan->waits);
    plan->wait_count = 0;
    for (size_t i = 0; i < plan->event_count; i++) {
        mz_plan_event event = plan->events[i];
        bool named = false;
        event.first_wait = (uint32_t)plan->wait_count;
        event.picks = MZ_PLAN_PICKS_NOBODY; /* a signal may wake any */
        for (size_t k = 0; k < set->count; k++) {
            named |= is_same(set->edges[k].from, name_of(&event));
            if (is_same(set->edges[k].to, name_of(&event)))
                plan->waits[plan->wait_count++] = set->edges[k].from;
        }
        event.wait_count = (uint32_t)plan->wait_count - event.first_wait;
        if (named || event.wait_count > 0)
            plan->events[kept++] = event;
    }
    plan->event_count = kept;
    plan->prefix = plan->length = (uint32_t)kept;
    plan->edges_only = true;
}
