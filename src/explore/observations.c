#include "explore/observations.h"

#include <string.h>

#include "base/memory.h"
#include "explore/children.h"
#include "explore/plans.h"

typedef struct exploration {
    mz_mutations mutations;
    mz_plans plans;
    mz_plan *followed; /* NULL: the default from the beginning */
    uint8_t *threads;  /* [position] of the current execution */
    size_t thread_capacity;
    uint32_t stage;   /* of the next event after the plan */
    size_t return_to; /* the depth to go back to before the next execution; SIZE_MAX: it is under way */
    size_t noticed;   /* events that have been looked at */
    bool failed;      /* the plan does not lead to what was expected */
    bool again;       /* begin again with what has been learned */
} exploration;

static exploration *exploration_of(const mz_search *s)
{
    return s->algorithm_data;
}

/* ---- plans ----------------------------------------------------------------------------------------------
 */

static void adopt(mz_search *search, const mz_mutation *mutation)
{
    exploration *n = exploration_of(search);
    const mz_execution *x = search->execution;
    const mz_stage *stages = n->mutations.stages, detour = mz_stage_of(mutation->stage, false);
    mz_plan *p = mz_plan_new(&n->plans);
    mz_plan_make_room(p, mutation->length);
    mz_plan_copy(p, x, n->threads, stages, mutation->unmoved, detour);
    for (size_t i = mutation->unmoved; i < mutation->length; i++) {
        uint32_t item = mutation->order[i];
        if (item < x->length) {
            mz_plan_add_event(p, x, item, stages[item] < detour ? stages[item] : detour);
        } else {
            uint32_t added = item - (uint32_t)x->length;
            mz_plan_add_new(p, mutation->threads[added],
                            mz_stage_of(mutation->stage, added + 1 == mutation->count),
                            mutation->expected[added]);
        }
    }
    p->stage = mutation->stage;
    mz_plan_let_wait(&n->plans, p);
}

/* The same with the next choices of the event that has just happened. */
static void plan_next_choices(mz_search *s, uint32_t position)
{
    exploration *n = exploration_of(s);
    const mz_stage *stages = n->mutations.stages;
    const mz_plan *followed = n->followed;
    bool goes_on = followed && position + 1 < followed->length;
    mz_plan *p = mz_plan_new(&n->plans);
    mz_plan_make_room(p, goes_on ? followed->length : position + 1);
    mz_plan_copy(p, s->execution, n->threads, stages, position + 1, MZ_NO_STAGE);
    if (!mz_plan_turn_choices(p)) {
        mz_plan_recycle(&n->plans, p);
        return;
    }
    p->stage = mz_number_of(stages[position]);
    if (goes_on) {
        mz_plan_add_rest(p, followed, position + 1);
        p->stage = followed->stage;
    }
    mz_plan_let_wait(&n->plans, p);
}

static void make_room(exploration *n, size_t length)
{
    mz_mutations *m = &n->mutations;
    m->stages = mz_grow(m->stages, &m->stage_capacity, length, sizeof *m->stages);
    n->threads = mz_grow(n->threads, &n->thread_capacity, length, sizeof *n->threads);
}

static void take_next_plan(mz_search *s)
{
    exploration *n = exploration_of(s);
    mz_plan_recycle(&n->plans, n->followed);
    mz_plan *p = n->followed = mz_plans_take(&n->plans);
    n->failed = false;
    n->return_to = 0;
    if (!p)
        return;
    n->stage = p->stage + 1;
    make_room(n, p->length);
    n->return_to = mz_plan_count_shared(p, s->execution, n->threads);
    memcpy(n->mutations.stages, p->stages, p->length * sizeof *p->stages);
}

/* ---- the search -----------------------------------------------------------------------------------------
 */

static bool writes(const mz_execution *x, const mz_event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++)
        if (x->records[event->first_access + i].access.kind & MZ_WRITE)
            return true;
    return false;
}

static void notice_event(mz_search *s, uint32_t position)
{
    exploration *n = exploration_of(s);
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[position];
    bool is_planned = n->followed && position < n->followed->length;
    const mz_new_step *added = is_planned ? mz_plan_new_step(n->followed, position) : NULL;
    if (added && added->expected != MZ_WHATEVER)
        n->failed |= writes(x, event) != (added->expected == MZ_MUST_WRITE);
    if (!n->failed && event->choice_count > 0 && (!is_planned || added))
        plan_next_choices(s, position);
}

/* The execution has got longer. */
static void notice(mz_search *s)
{
    exploration *n = exploration_of(s);
    mz_observation_follow(&n->mutations.observation, s->execution);
    for (; n->noticed < s->execution->length; n->noticed++)
        notice_event(s, (uint32_t)n->noticed);
}

static void enter(mz_search *s, mz_node *node)
{
    (void)node;
    exploration *n = exploration_of(s);
    if (s->execution->length == 0) { /* also with other choices at the very beginning */
        mz_observation_restart(&n->mutations.observation, s->execution);
        n->followed = NULL;
        n->stage = 0;
        n->return_to = SIZE_MAX;
        n->noticed = 0;
        s->walks_tree = false;
    }
    notice(s);
}

/* Behind a data race, which is an error, threads may do something else in another order (--all-errors). */
static void lose_track(mz_search *s)
{
    exploration *n = exploration_of(s);
    if (s->problem_count == 0) {
        mz_search_stop(s, "the program does not do the same when the same schedule is repeated");
        return;
    }
    n->mutations.observation.impossible = n->again = s->stop = true;
}

static bool follow_plan(mz_search *s, const mz_node *node, uint32_t *thread)
{
    exploration *n = exploration_of(s);
    mz_plan *p = n->followed;
    size_t depth = s->execution->length;
    if (!p || depth >= p->length)
        return false;
    *thread = p->threads[depth];
    if (!mz_threads_has(node->enabled, *thread) && mz_plan_new_step(p, depth)) {
        mz_plan_leave_out(p, depth); /* the pivot has to wait: it goes on without */
        memcpy(n->mutations.stages + depth, p->stages + depth, (p->length - depth) * sizeof *p->stages);
        return follow_plan(s, node, thread);
    }
    const mz_choice *choices = NULL;
    uint32_t choice_count = mz_plan_next_choices(p, depth, &choices);
    mz_choices_prescribe(&s->choices, choices, choice_count);
    if (!mz_threads_has(node->enabled, *thread))
        lose_track(s);
    return true;
}

/* Where what is waited for moves, it is not just what is there when the wait is over. */
static void note_waiting(mz_search *s)
{
    mz_machine *machine = s->machine;
    MZ_FOR_EACH_THREAD(t, machine->complex_blocking ? machine->status->ready | machine->status->blocked : 0)
    {
        mz_operation pending;
        machine->class->pending(machine, t, &pending);
        mz_observation_note_waiting(&exploration_of(s)->mutations.observation, &pending);
    }
}

static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    exploration *n = exploration_of(s);
    size_t depth = s->execution->length;
    mz_observation_follow(&n->mutations.observation, s->execution);
    if (n->noticed > depth)
        n->noticed = depth;
    if (n->failed)
        take_next_plan(s);
    if (n->return_to < depth || (n->return_to == 0 && !n->followed) || !node->enabled)
        return false;
    n->return_to = SIZE_MAX;
    mz_search_return_to(s, depth);
    if (s->stop)
        return false;
    note_waiting(s);
    if (!follow_plan(s, node, thread)) {
        *thread = mz_default_thread(s, node->enabled);
        make_room(n, depth + 1);
        n->mutations.stages[depth] = mz_stage_of(n->stage, true);
        mz_mutate_next(&n->mutations, *thread, n->stage++);
        mz_choices_prescribe(&s->choices, NULL, 0);
    }
    n->threads[depth] = (uint8_t)*thread;
    return !s->stop;
}

static void leaf(mz_search *s)
{
    exploration *n = exploration_of(s);
    if (s->execution->length == 0)
        return;
    notice(s);
    mz_observation *o = &n->mutations.observation;
    if (!o->learned && !o->impossible)
        mz_mutate_execution(&n->mutations, n->followed ? n->followed->stage : 0);
    if (o->learned || o->impossible) {
        n->again = s->stop = true;
        return;
    }
    take_next_plan(s);
}

static bool no_other_choices(mz_search *s)
{
    (void)s;
    return false;
}

static void explore(mz_search *s, exploration *n)
{
    mz_plans_forget(&n->plans);
    n->followed = NULL;
    n->failed = n->again = false;
    mz_explore_depth_first(s, &(mz_depth_first){
                                  .track_order = true,
                                  .enter = enter,
                                  .leaf = leaf,
                                  .next = next,
                                  .try_choices = no_other_choices,
                              });
}

/* ---- while all locations are strict ---------------------------------------------------------------------
 */

/* Looks at the traces that are explored. */
typedef struct watch {
    mz_observation observation;
    bool has_loose;
} watch;

static void look_at_trace(void *context, mz_search *s, mz_leaf leaf)
{
    (void)leaf;
    watch *w = context;
    mz_observation *o = &w->observation;
    s->stop |= w->has_loose; /* seen before, in a search that has begun again */
    if (o->length > s->first_new)
        o->length = s->first_new;
    o->width = s->execution->width;
    mz_observation_follow(o, s->execution);
    if (!o->learned)
        return;
    mz_observation_restart(o, s->execution);
    w->has_loose |= mz_has_loose(o);
    s->stop |= w->has_loose;
}

/* The machine if some check is about what is in its memory at the end, which the order of writes that nobody
 * reads decides. */
static const mz_machine *looked_at(const mz_search *s)
{
    bool looks = s->options.checks & s->machine->class->failure_kinds & 1u << MZ_FAIL_LEAK;
    return looks && s->machine->class->matters_at_end ? s->machine : NULL;
}

/* False if a location is loose. */
static bool explore_strictly(mz_search *s, bool only_trees, void (*explore_traces)(mz_search *search))
{
    watch w = {.observation = {.only_trees = only_trees, .looked_at = looked_at(s)}};
    uint64_t events = s->options.limits.events;
    void *context = s->observe_context;
    s->observe = look_at_trace;
    s->observe_context = &w;
    s->observe_at_once = true;
    if (events == 0)
        s->options.limits.events = UINT64_MAX; /* not word by word, which nobody can look at */
    explore_traces(s);
    s->options.limits.events = events;
    s->observe_context = context;
    s->observe_at_once = false;
    mz_observation_release(&w.observation);
    return !w.has_loose;
}

/* False if it cannot be done. */
static bool explore_loosely(mz_search *s, exploration *n)
{
    do {
        mz_search_restart(s);
        explore(s, n);
    } while (n->again && !n->mutations.observation.impossible);
    return !n->mutations.observation.impossible;
}

void mz_explore_observations(mz_search *s, bool only_trees, void (*explore_traces)(mz_search *search))
{
    s->machine->by_observation = true;
    void (*observe)(void *, mz_search *, mz_leaf) = s->observe; /* is to see only what is final */
    bool strict = explore_strictly(s, only_trees, explore_traces), done = strict;
    exploration n = {.mutations = {.search = s,
                                   .adopt = adopt,
                                   .observation = {.only_trees = only_trees, .looked_at = looked_at(s)}}};
    s->observe = NULL;
    if (!strict) {
        s->algorithm_data = &n;
        done = explore_loosely(s, &n);
    }
    s->observe = observe;
    s->is_finer = !done;
    if (!done || (observe && !s->stop)) { /* once more */
        mz_search_restart(s);
        if (!strict && done)
            explore(s, &n);
        else
            explore_traces(s);
    }
    mz_plans_release(&n.plans);
    mz_release(n.threads);
    mz_mutations_release(&n.mutations);
}
