#include "explore/observations.h"

#include <string.h>

#include "base/memory.h"
#include "explore/children.h"
#include "explore/mutations.h"

/* One operation of a plan. */
typedef struct step {
    mz_stage stage;
    uint32_t choice_count;
    uint8_t thread, expected; /* mz_expectation */
    bool is_new;              /* it was not in the execution that it was planned from: its choices are free */
} step;
_Static_assert(MZ_MAX_THREADS <= UINT8_MAX, "a thread's number fits");

/* An execution to visit. */
typedef struct plan {
    struct plan *next, *allocated_before;
    step *steps;
    size_t length, step_capacity;
    mz_choice *choices; /* of all steps, one after the other */
    size_t choice_count, choice_capacity;
    size_t next_choice; /* of the step that is followed next */
    uint32_t stage;     /* the last one */
} plan;

typedef struct exploration {
    mz_mutations mutations;
    plan *followed; /* NULL: the default from the beginning */
    plan *waiting;  /* the one to follow next comes first */
    plan *unused, *last_allocated;
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

static plan *new_plan(exploration *n)
{
    plan *p = n->unused;
    if (p) {
        n->unused = p->next;
        p->length = p->choice_count = 0;
        return p;
    }
    p = mz_allocate_zeroed(1, sizeof *p);
    p->allocated_before = n->last_allocated;
    return n->last_allocated = p;
}

static void recycle(exploration *n, plan *p)
{
    if (!p)
        return;
    p->next = n->unused;
    n->unused = p;
}

static void release_plans(exploration *n)
{
    while (n->last_allocated) {
        plan *p = n->last_allocated;
        n->last_allocated = p->allocated_before;
        mz_release(p->steps);
        mz_release(p->choices);
        mz_release(p);
    }
}

static void let_wait(exploration *n, plan *p)
{
    p->next = n->waiting;
    n->waiting = p;
}

/* Room for so many steps. */
static void make_room(plan *p, size_t length)
{
    p->steps = mz_grow(p->steps, &p->step_capacity, length, sizeof *p->steps);
}

static void add_choices(plan *p, const mz_choice *choices, uint32_t count)
{
    p->choices = mz_grow(p->choices, &p->choice_capacity, p->choice_count + count, sizeof *p->choices);
    for (uint32_t i = 0; i < count; i++)
        p->choices[p->choice_count++] = choices[i];
}

static inline step *add_event(plan *p, const exploration *n, const mz_execution *x, uint32_t position)
{
    const mz_event *event = &x->events[position];
    step *s = &p->steps[p->length++];
    *s = (step){.stage = n->mutations.stages[position],
                .thread = (uint8_t)event->thread,
                .choice_count = event->choice_count};
    if (event->choice_count > 0)
        add_choices(p, x->choices + event->first_choice, event->choice_count);
    return s;
}

static void adopt(mz_search *search, const mz_mutation *mutation)
{
    exploration *n = exploration_of(search);
    const mz_execution *x = search->execution;
    plan *p = new_plan(n);
    make_room(p, mutation->length);
    for (size_t i = 0; i < mutation->length; i++) {
        uint32_t item = mutation->order[i];
        if (item < x->length) {
            step *kept = add_event(p, n, x, item);
            if (kept->stage.number >= mutation->stage)
                kept->stage = (mz_stage){.number = mutation->stage};
        } else {
            uint32_t added = item - (uint32_t)x->length;
            p->steps[p->length++] =
                (step){.stage = {.number = mutation->stage, .pivot = added + 1 == mutation->count},
                       .thread = (uint8_t)mutation->threads[added],
                       .expected = (uint8_t)mutation->expected[added],
                       .is_new = true};
        }
    }
    p->stage = mutation->stage;
    let_wait(n, p);
}

/* The rest of the plan that is followed, from this step on. */
static void add_rest(plan *p, const plan *followed, size_t from)
{
    for (size_t i = from; i < followed->length; i++)
        p->steps[p->length++] = followed->steps[i];
    add_choices(p, followed->choices + followed->next_choice,
                (uint32_t)(followed->choice_count - followed->next_choice));
    p->stage = followed->stage;
}

/* The same with the next choices of the event that has just happened. */
static void plan_next_choices(mz_search *s, uint32_t position)
{
    exploration *n = exploration_of(s);
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[position];
    plan *p = new_plan(n), *followed = n->followed;
    bool goes_on = followed && position + 1 < followed->length;
    make_room(p, goes_on ? followed->length : position + 1);
    for (uint32_t i = 0; i <= position; i++)
        add_event(p, n, x, i);
    step *last = &p->steps[position];
    size_t before = p->choice_count - event->choice_count;
    last->choice_count = (uint32_t)mz_choices_next(p->choices + before, event->choice_count);
    if (last->choice_count == 0) {
        recycle(n, p);
        return;
    }
    p->choice_count = before + last->choice_count;
    last->is_new = true;
    p->stage = last->stage.number;
    if (goes_on)
        add_rest(p, followed, position + 1);
    let_wait(n, p);
}

static bool has_choices(const mz_execution *x, const mz_event *event, const mz_choice *choices)
{
    for (uint32_t i = 0; i < event->choice_count; i++)
        if (choices[i].value != x->choices[event->first_choice + i].value)
            return false;
    return true;
}

/* How many of the first events are those of the plan, not to be looked at again? */
static size_t count_shared(const mz_execution *x, plan *p)
{
    size_t depth = 0;
    p->next_choice = 0;
    for (; depth < x->length && depth < p->length; depth++) {
        const mz_event *event = &x->events[depth];
        const step *s = &p->steps[depth];
        if (s->is_new || s->thread != event->thread || s->choice_count != event->choice_count ||
            !has_choices(x, event, p->choices + p->next_choice))
            break;
        p->next_choice += s->choice_count;
    }
    return depth;
}

static void make_room_for_stages(mz_mutations *m, size_t length)
{
    m->stages = mz_grow(m->stages, &m->stage_capacity, length, sizeof *m->stages);
}

static void take_next_plan(mz_search *s)
{
    exploration *n = exploration_of(s);
    recycle(n, n->followed);
    plan *p = n->followed = n->waiting;
    n->failed = false;
    n->return_to = 0;
    if (!p)
        return;
    n->waiting = p->next;
    n->stage = p->stage + 1;
    n->return_to = count_shared(s->execution, p);
    make_room_for_stages(&n->mutations, p->length);
    for (size_t i = 0; i < p->length; i++)
        n->mutations.stages[i] = p->steps[i].stage;
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
    const step *planned =
        n->followed && position < n->followed->length ? &n->followed->steps[position] : NULL;
    if (planned && planned->expected != MZ_WHATEVER)
        n->failed |= writes(x, event) != (planned->expected == MZ_MUST_WRITE);
    if (!n->failed && event->choice_count > 0 && (!planned || planned->is_new))
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

/* The pivot of the plan has to wait: it goes on without. */
static void leave_out(plan *p, size_t at)
{
    p->length--;
    memmove(p->steps + at, p->steps + at + 1, (p->length - at) * sizeof *p->steps);
}

static bool follow_plan(mz_search *s, const mz_node *node, uint32_t *thread)
{
    exploration *n = exploration_of(s);
    plan *p = n->followed;
    size_t depth = s->execution->length;
    if (!p || depth >= p->length)
        return false;
    if (!mz_threads_has(node->enabled, p->steps[depth].thread) && p->steps[depth].is_new) {
        leave_out(p, depth);
        for (size_t i = depth; i < p->length; i++)
            n->mutations.stages[i] = p->steps[i].stage;
        return follow_plan(s, node, thread);
    }
    const step *next = &p->steps[depth];
    *thread = next->thread;
    mz_choices_prescribe(&s->choices, p->choices + p->next_choice, next->choice_count);
    p->next_choice += next->choice_count;
    if (!mz_threads_has(node->enabled, *thread))
        mz_search_stop(s, "the program does not do the same when the same schedule is repeated");
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
        make_room_for_stages(&n->mutations, depth + 1);
        n->mutations.stages[depth] = (mz_stage){n->stage, true};
        mz_mutate_next(&n->mutations, *thread, n->stage++);
        mz_choices_prescribe(&s->choices, NULL, 0);
    }
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
    while (n->waiting) {
        plan *p = n->waiting;
        n->waiting = p->next;
        recycle(n, p);
    }
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
    release_plans(&n);
    mz_mutations_release(&n.mutations);
}
