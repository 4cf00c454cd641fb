/* A small constraint set.
 *
 * First large parts of the set are left out, then smaller ones, then single edges (delta debugging): a set
 * that is to become small does so after few trials. Then each edge that has to stay is made weaker: it comes
 * from an earlier event of its thread, or leads to a later one, as far as that can be verified. After that
 * again none of them can be left out, or it is.
 *
 * Leaving out an edge allows more executions, all of which are verified; but it can also make an end of
 * waiting for an event that would not have come. So being enough is not monotone: a set may be enough, a
 * subset of it not, and a subset of that again. What is found is a set of which no single edge can be left
 * out. */
#include "safe/plan/small_set.h"

#include <string.h>

#include "base/memory.h"

typedef struct minimiser {
    mz_minimisation *m;
    mz_edges trial;
    bool no_time;
} minimiser;

static bool is_enough(minimiser *a)
{
    if (a->no_time)
        return false;
    mz_trial result = a->m->verify(a->m->context, &a->trial);
    a->no_time = result == MZ_TRIAL_NO_TIME;
    return result == MZ_TRIAL_SAFE;
}

static void copy(mz_edges *to, const mz_edges *from)
{
    to->edges = mz_grow(to->edges, &to->capacity, from->count, sizeof *to->edges);
    to->count = from->count;
    if (from->count > 0)
        memcpy(to->edges, from->edges, from->count * sizeof *to->edges);
}

/* Without the edges from `begin` to `end`: kept so if that is enough. */
static bool leave_out(minimiser *a, size_t begin, size_t end)
{
    copy(&a->trial, &a->m->set);
    memmove(a->trial.edges + begin, a->trial.edges + end, (a->trial.count - end) * sizeof *a->trial.edges);
    a->trial.count -= end - begin;
    if (!is_enough(a))
        return false;
    copy(&a->m->set, &a->trial);
    return true;
}

/* Parts of this size, from the last one to the first: what comes last in the trace is wanted least. */
static bool leave_out_parts(minimiser *a, size_t size)
{
    bool any = false;
    for (size_t end = a->m->set.count; end > 0 && !a->no_time;) {
        size_t begin = end > size ? end - size : 0;
        any |= leave_out(a, begin, end);
        end = begin; /* what stands before it is where it was */
    }
    return any;
}

static void leave_out_all_possible(minimiser *a)
{
    for (size_t size = a->m->set.count; size > 1 && !a->no_time; size = (size + 1) / 2)
        leave_out_parts(a, size);
    while (a->m->set.count > 0 && !a->no_time && leave_out_parts(a, 1))
        continue;
}

/* ---- weaker edges -----------------------------------------------------------------------------------------
 */

/* The event of the same thread before or after it in the trace; false: there is none. */
static bool neighbour(const mz_plan *plan, mz_plan_wait name, bool later, mz_plan_wait *found)
{
    bool any = false;
    for (size_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        if (e->thread != name.thread || (later ? e->count <= name.count : e->count >= name.count))
            continue;
        *found = (mz_plan_wait){e->thread, e->count};
        any = true;
        if (later)
            break;
    }
    return any;
}

static bool is_there(const mz_edges *set, const mz_edge *edge)
{
    for (size_t i = 0; i < set->count; i++)
        if (memcmp(&set->edges[i], edge, sizeof *edge) == 0)
            return true;
    return false;
}

static bool replace(minimiser *a, size_t index, mz_edge edge)
{
    mz_edges *set = &a->m->set;
    if (is_there(set, &edge))
        return false;
    copy(&a->trial, set);
    a->trial.edges[index] = edge;
    if (!is_enough(a))
        return false;
    set->edges[index] = edge;
    return true;
}

/* Event by event, as far as it goes. The next one may be too weak, or get stuck, and the one after it be
 * right: whoever waits with a mutex in its hands may wait for somebody who needs it. */
static bool weaken(minimiser *a, size_t index, bool target)
{
    enum { MOST_FAILED = 8 };
    mz_edge edge = a->m->set.edges[index];
    mz_plan_wait *end = target ? &edge.to : &edge.from;
    bool any = false;
    for (int failed = 0; failed < MOST_FAILED && !a->no_time; failed++) {
        if (!neighbour(a->m->plan, *end, target, end))
            break;
        if (!replace(a, index, edge))
            continue;
        any = true;
        failed = -1;
    }
    return any;
}

static bool weaken_all(minimiser *a)
{
    bool any = false;
    for (size_t i = 0; i < a->m->set.count && !a->no_time; i++)
        for (int target = 0; target < 2; target++)
            any |= weaken(a, i, target);
    return any;
}

void mz_minimise(mz_minimisation *m)
{
    minimiser a = {.m = m};
    m->has_set = m->is_minimal = false;
    mz_edges_of_plan(m->plan, &m->set);
    copy(&a.trial, &m->set);
    if (is_enough(&a)) {
        m->has_set = true;
        do
            leave_out_all_possible(&a);
        while (weaken_all(&a));
        m->is_minimal = !a.no_time;
    }
    mz_edges_release(&a.trial);
}
