#include "algo/rf/observations.h"

#include <string.h>

#include "algo/optimal/children.h"
#include "algo/rf/items.h"
#include "algo/rf/strict.h"
#include "base/memory.h"
#include "base/vector.h"
#include "search/frontier.h"

typedef struct exploration {
    mz_mutations mutations;
    mz_rf_items items;
    mz_rf_item *followed; /* NULL: the default from the beginning */
    size_t given;         /* its length */
    bool expects;         /* something of some step */
    /* [position] of the current execution, and of the rest of the item: mz_steps, with the mutations' stages
     */
    mz_thread_number *threads;
    mz_stage *highest;
    size_t thread_capacity, highest_capacity;
    size_t return_to; /* the depth to go back to before the next execution; SIZE_MAX: it is under way */
    bool failed;      /* the item does not lead to what was expected */
    bool again;       /* begin again with what has been learned */
} exploration;

static exploration *exploration_of(const mz_search *s)
{
    return s->algorithm_data;
}

static inline mz_steps steps_of(const exploration *n)
{
    return (mz_steps){n->threads, n->mutations.stages, n->highest};
}

static inline mz_steps make_room_for_steps(exploration *n, size_t length)
{
    mz_mutations *m = &n->mutations;
    n->threads = mz_grow(n->threads, &n->thread_capacity, length, sizeof *n->threads);
    n->highest = mz_grow(n->highest, &n->highest_capacity, length, sizeof *n->highest);
    m->stages = mz_grow(m->stages, &m->stage_capacity, length, sizeof *m->stages);
    return steps_of(n);
}

/* ---- items ----------------------------------------------------------------------------------------------
 */

/* What is kept in the mutation's stage, and all that is added but the pivot, is part of its detour. Bends
 * that are not kept are of earlier stages. */
static void set_bends(exploration *n, mz_rf_item *p, const mz_mutation *mutation)
{
    const mz_mutations *m = &n->mutations;
    uint32_t threads = m->search->execution->thread_capacity;
    bool has_detour = mutation->count > 1;
    mz_rf_item_copy_bends(p, m->bends, threads,
                          has_detour || mutation->is_default == MZ_NO ? p->stage : m->bent_stage);
    for (uint32_t t = 0; has_detour && t < threads; t++) {
        uint32_t kept = mutation->set[t] + (t == mutation->threads[0]);
        if (kept > mutation->before[t])
            p->bends[t] = (mz_bend){kept, p->stage};
    }
}

static inline void keep_event(mz_rf_item *p, const mz_execution *x, uint32_t position, const mz_stage *stages,
                              mz_stage detour)
{
    mz_stage stage = stages[position] < detour ? stages[position] : detour;
    mz_rf_item_add_event(p, x, position, stage);
}

static inline void add_operation(mz_rf_item *p, const mz_mutation *mutation, uint32_t i)
{
    bool is_pivot = i + 1 == mutation->count;
    p->pivot = (uint32_t)p->length;
    mz_rf_item_add_new(p, mutation->threads[i],
                       is_pivot ? mz_pivot_of(mutation->stage, mutation->is_default)
                                : mz_detour_of(mutation->stage),
                       mutation->expected[i]);
}

/* The steps behind those that are not moved: in the order that is given. */
static void add_in_order(mz_rf_item *p, const mz_mutation *mutation, const mz_execution *x,
                         const mz_stage *stages)
{
    for (size_t i = mutation->unmoved; i < mutation->length; i++)
        if (mutation->order[i] < x->length)
            keep_event(p, x, mutation->order[i], stages, mz_detour_of(mutation->stage));
        else
            add_operation(p, mutation, mutation->order[i] - (uint32_t)x->length);
}

/* The steps as they stand in the execution. */
static void add_in_line(mz_rf_item *p, const mz_mutation *mutation, const mz_execution *x,
                        const mz_stage *stages)
{
    size_t kept = mutation->length - mutation->count;
    for (uint32_t at = (uint32_t)mutation->unmoved; p->length < kept; at++)
        if (x->events[at].index <= mutation->set[x->events[at].thread])
            keep_event(p, x, at, stages, mz_detour_of(mutation->stage));
    for (uint32_t i = 0; i < mutation->count; i++)
        add_operation(p, mutation, i);
}

static void adopt(mz_search *search, const mz_mutation *mutation)
{
    exploration *n = exploration_of(search);
    const mz_execution *x = search->execution;
    const mz_stage *stages = n->mutations.stages;
    mz_rf_item *p = mz_rf_item_new(&n->items);
    mz_rf_item_make_room(p, mutation->length);
    mz_rf_item_share(p, x, steps_of(n), mutation->unmoved, mz_detour_of(mutation->stage));
    if (mutation->order)
        add_in_order(p, mutation, x, stages);
    else
        add_in_line(p, mutation, x, stages);
    p->stage = mutation->stage;
    set_bends(n, p, mutation);
    mz_rf_item_let_wait(&n->items, p);
}

/* The last step, which is this event, gets a higher choice. */
static void set_bend_of_choice(exploration *n, mz_rf_item *p, const mz_event *event)
{
    const mz_mutations *m = &n->mutations;
    bool is_last = p->stage > m->bent_stage;
    mz_rf_item_copy_bends(p, m->bends, m->search->execution->thread_capacity,
                          is_last ? p->stage : m->bent_stage);
    if (p->bends[event->thread].index < event->index)
        p->bends[event->thread] = (mz_bend){event->index, p->stage};
}

/* The same up to this event, with its next choices. */
static void add_next_choices(mz_search *s, uint32_t position)
{
    exploration *n = exploration_of(s);
    const mz_stage *stages = n->mutations.stages;
    const mz_rf_item *followed = n->followed;
    bool goes_on = followed && position + 1 < followed->length;
    mz_rf_item *p = mz_rf_item_new(&n->items);
    mz_rf_item_make_room(p, goes_on ? followed->length : position + 1);
    mz_rf_item_share(p, s->execution, steps_of(n), position + 1, MZ_NO_STAGE);
    if (!mz_rf_item_turn_choices(p)) {
        mz_rf_item_recycle(&n->items, p);
        return;
    }
    p->stage = mz_number_of(stages[position]);
    p->pivot = 0;
    set_bend_of_choice(n, p, &s->execution->events[position]);
    if (goes_on) {
        mz_rf_item_add_rest(p, followed, steps_of(n), position + 1);
        p->stage = followed->stage;
    }
    mz_rf_item_let_wait(&n->items, p);
}

static void take_next_item(mz_search *s)
{
    exploration *n = exploration_of(s);
    mz_rf_item_recycle(&n->items, n->followed);
    mz_rf_item *p = n->followed = mz_rf_items_take(&n->items);
    n->failed = n->expects = false;
    n->return_to = n->given = s->script_end = 0;
    s->default_from = SIZE_MAX;
    if (!p)
        return;
    n->given = p->length;
    n->expects = p->expects;
    memcpy(n->mutations.bends, p->bends, s->execution->thread_capacity * sizeof *p->bends);
    n->mutations.bent_stage = p->bent_stage;
    n->return_to = mz_rf_item_count_shared(p, s->execution, steps_of(n));
    mz_rf_items_keep(&n->items, steps_of(n), p->own);
    mz_rf_item_write(p, make_room_for_steps(n, p->length));
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

/* The last event is expected to write, or not to, or has choices, which are looked at at once if it was
 * given. */
static __attribute__((noinline)) void look_at_event(mz_search *s)
{
    exploration *n = exploration_of(s);
    const mz_execution *x = s->execution;
    uint32_t position = (uint32_t)x->length - 1;
    const mz_event *event = &x->events[position];
    const mz_new_step *added = position < n->given ? mz_rf_item_new_step(n->followed, position) : NULL;
    if (added && added->expected != MZ_WHATEVER)
        n->failed |= writes(x, event) != (added->expected == MZ_MUST_WRITE);
    if (!n->failed && event->choice_count > 0 && added)
        add_next_choices(s, position);
}

/* The last event is new: is there something to look at? */
static inline void notice_event(mz_search *s, const exploration *n)
{
    const mz_execution *x = s->execution;
    if (MZ_UNLIKELY(n->expects || x->events[x->length - 1].choice_count > 0))
        look_at_event(s);
}

/* A search begins, also with other choices at the very beginning. */
static void enter(mz_search *s, mz_node *node)
{
    (void)node;
    exploration *n = exploration_of(s);
    mz_mutations_restart(&n->mutations);
    n->followed = NULL;
    n->given = s->script_end = s->default_from = 0;
    n->expects = false;
    n->return_to = SIZE_MAX;
    s->walks_tree = false;
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

/* The item's next step: by the thread, with its choices. */
static uint32_t follow_item(mz_search *s, exploration *n, const mz_node *node, size_t depth)
{
    mz_rf_item *p = n->followed;
    uint32_t thread = n->threads[depth];
    const mz_choice *choices = NULL;
    uint32_t choice_count = mz_rf_item_next_choices(p, depth, &choices);
    mz_choices_prescribe(&s->choices, choices, choice_count);
    if (MZ_UNLIKELY(!mz_threads_has(node->enabled, thread)))
        lose_track(s);
    return thread;
}

/* What goes on after the item, by default. */
static uint32_t go_on(mz_search *s, const mz_node *node)
{
    mz_choices_prescribe(&s->choices, NULL, 0);
    return mz_default_thread(s, node->enabled);
}

/* The item is followed from here on: how far need nobody be asked where to go? What is expected of the item's
 * last step is to be looked at. */
static void set_course(mz_search *s, const exploration *n)
{
    const mz_rf_item *p = n->followed;
    s->script = n->threads;
    s->script_end = s->machine->complex_blocking ? 0 : mz_rf_item_end_of_script(p);
    s->default_from = n->given + n->expects;
}

/* A step has to wait that is new, the pivot: it goes on without. */
static __attribute__((noinline)) void leave_out(mz_search *s, exploration *n, size_t depth)
{
    mz_rf_item *p = n->followed;
    mz_rf_item_leave_out(p, steps_of(n), depth);
    n->given = p->length;
    set_course(s, n);
}

/* Where what is waited for moves, it is not just what is there when the wait is over. */
static void note_waiting(mz_search *s)
{
    mz_machine *machine = s->machine;
    MZ_FOR_EACH_THREAD(t, machine->status->ready | machine->status->blocked)
    {
        mz_operation pending;
        machine->class->pending(machine, t, &pending);
        mz_observation_note_waiting(&exploration_of(s)->mutations.observation, &pending);
    }
}

static void begin_item(mz_search *s, exploration *n)
{
    n->return_to = SIZE_MAX;
    set_course(s, n);
    mz_choices_prescribe(&s->choices, NULL, 0);
}

/* Another execution is to begin: at this node, without going back? */
static __attribute__((noinline)) bool begins_here(mz_search *s, const mz_node *node)
{
    exploration *n = exploration_of(s);
    size_t depth = s->execution->length;
    if (n->return_to < depth || !n->followed || !mz_threads_any(node->enabled))
        return false;
    begin_item(s, n);
    mz_search_return_to(s, depth);
    return !s->stop;
}

/* Before that there is nothing left to do: if there is another item, it begins there. */
static size_t return_to(mz_search *s)
{
    exploration *n = exploration_of(s);
    size_t depth = n->return_to;
    mz_observation_shorten(&n->mutations.observation, depth);
    if (n->followed)
        begin_item(s, n);
    return depth;
}

static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    exploration *n = exploration_of(s);
    size_t depth = s->execution->length;
    if (n->return_to == SIZE_MAX && depth > 0)
        notice_event(s, n);
    if (MZ_UNLIKELY(n->failed))
        take_next_item(s);
    if (MZ_UNLIKELY(n->return_to != SIZE_MAX || !mz_threads_any(node->enabled)) && !begins_here(s, node))
        return false;
    if (MZ_UNLIKELY(s->machine->complex_blocking))
        note_waiting(s);
    while (depth < n->given && MZ_UNLIKELY(!mz_threads_has(node->enabled, n->threads[depth])) &&
           mz_rf_item_new_step(n->followed, depth))
        leave_out(s, n, depth);
    *thread = depth < n->given ? follow_item(s, n, node, depth) : go_on(s, node);
    return !s->stop;
}

/* The places of the events that came by default. */
static void place_defaults(mz_search *s, exploration *n)
{
    const mz_execution *x = s->execution;
    mz_steps steps = make_room_for_steps(n, x->length);
    uint32_t stage = n->mutations.default_from;
    for (size_t position = n->given, end = x->length; position < end; position++) {
        steps.threads[position] = (mz_thread_number)x->events[position].thread;
        steps.stages[position] = steps.highest[position] = mz_pivot_of(stage++, MZ_UNKNOWN);
    }
}

/* What could have been chosen instead from one position to another. */
static void turn_choices(mz_search *s, size_t from, size_t end)
{
    const mz_execution *x = s->execution;
    for (size_t position = from; x->choice_count > x->initial_choices && position < end; position++)
        if (x->events[position].choice_count > 0)
            add_next_choices(s, (uint32_t)position);
}

/* What could have been read or chosen instead by events that came by default, in their order. */
static void mutate_defaults(mz_search *s, exploration *n)
{
    mz_mutations *m = &n->mutations;
    const mz_observation *o = &m->observation;
    const mz_reader *end = o->readers + o->reader_count, *reader = end;
    while (reader > o->readers && reader[-1].position >= n->given)
        reader--;
    size_t from = n->given;
    for (; reader < end; reader++) {
        turn_choices(s, from, reader->position);
        mz_mutate_reading(m, reader->position, mz_number_of(m->stages[reader->position]));
        from = reader->position;
    }
    turn_choices(s, from, s->execution->length);
}

static void mutate_execution(mz_search *s, exploration *n)
{
    mz_mutations *m = &n->mutations;
    const mz_rf_item *p = n->followed;
    m->given = n->given;
    m->default_from = p ? p->stage + 1 : 0;
    m->given_pivot = p ? p->pivot : 0;
    place_defaults(s, n);
    if (!mz_mutations_begin(m))
        return;
    mutate_defaults(s, n);
    mz_mutate_pairs(m);
}

static void leaf(mz_search *s)
{
    exploration *n = exploration_of(s);
    if (s->execution->length == 0)
        return;
    notice_event(s, n);
    mz_observation_follow(&n->mutations.observation, s->execution);
    mz_observation *o = &n->mutations.observation;
    if (!n->failed && !o->learned && !o->impossible)
        mutate_execution(s, n);
    if (o->learned || o->impossible) {
        n->again = s->stop = true;
        return;
    }
    take_next_item(s);
    if (n->return_to == s->execution->length)
        lose_track(s); /* the execution, which has ended, ought to go on */
}

/* ---- items of the frontier ------------------------------------------------------------------------------
 */

static void put_initial_choices(const mz_search *s, mz_work_item *item)
{
    mz_schedule with = {0};
    mz_schedule_copy_first(&with, s->execution, 0);
    for (size_t i = 0; i < item->prefix.length; i++) {
        size_t count;
        const mz_choice *choices = mz_schedule_choices(&item->prefix, i, &count);
        mz_schedule_add(&with, item->prefix.threads[i], choices, count);
    }
    mz_schedule_release(&item->prefix);
    item->prefix = with;
}

static void put(mz_search *s, const mz_rf_item *p, bool is_followed)
{
    mz_work_item item = {.form = MZ_ITEM_OBSERVATION}; /* without steps: the default from the beginning */
    if (p) {
        mz_rf_item_export(p, steps_of(exploration_of(s)), is_followed, s->execution->thread_capacity, &item);
    }
    put_initial_choices(s, &item);
    mz_frontier_put(s->frontier, &item);
}

/* What was taken, but not begun, is still in its own form; what has been begun is that of the execution at
 * hand, and is made again as a whole: what was found on the way is found again. */
static void hand_out(mz_search *s, bool all)
{
    exploration *n = exploration_of(s);
    bool is_under_way = n->return_to == SIZE_MAX;
    if (all && is_under_way) {
        mz_rf_items_forget_new(&n->items);
        put(s, n->followed, true);
    } else if (all && n->followed) {
        put(s, n->followed, true);
    }
    for (mz_rf_item *p; (p = mz_rf_items_take_last(&n->items)); mz_rf_item_recycle(&n->items, p)) {
        put(s, p, false);
        if (!all) {
            mz_rf_item_recycle(&n->items, p);
            return;
        }
    }
}

static bool begin(mz_search *s, const mz_work_item *from)
{
    exploration *n = exploration_of(s);
    if (from->prefix.length == 0)
        return true;
    mz_rf_item *p = mz_rf_item_import(&n->items, from, s->execution->thread_capacity);
    if (!p)
        return false;
    n->followed = p;
    n->given = p->length;
    n->expects = p->expects;
    memcpy(n->mutations.bends, p->bends, s->execution->thread_capacity * sizeof *p->bends);
    n->mutations.bent_stage = p->bent_stage;
    mz_rf_item_write(p, make_room_for_steps(n, p->length));
    begin_item(s, n);
    return true;
}

static void explore(mz_search *s, exploration *n)
{
    mz_rf_items_forget(&n->items);
    n->mutations.observation.dependency_checks = 0;
    n->followed = NULL;
    n->failed = n->again = false;
    mz_explore_depth_first(s, &(mz_depth_first){
                                  .enter = enter,
                                  .leaf = leaf,
                                  .next = next,
                                  .return_to = return_to,
                                  .form = MZ_ITEM_OBSERVATION,
                                  .begin = begin,
                                  .hand_out = hand_out,
                              });
    s->statistics.dependency_checks += n->mutations.observation.dependency_checks;
}

/* ---- all of them ----------------------------------------------------------------------------------------
 */

/* The machine if some check is about what is in its memory at the end, which the order of writes that nobody
 * reads decides. */
static const mz_machine *looked_at(const mz_search *s)
{
    bool looks = s->options.checks & s->machine->class->failure_kinds & 1u << MZ_FAIL_LEAK;
    return looks && s->machine->class->matters_at_end ? s->machine : NULL;
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

/* ---- in parts -------------------------------------------------------------------------------------------
 * What has been learned about locations is the memory of an epoch: all its items go by the same. Whoever
 * learns more ends the epoch. Until a location is loose, items are those of the traces. */

enum { MEMORY_OF_LOCATIONS, MEMORY_OF_TRACES };

static void begin_loosely(mz_search *s, const exploration *n)
{
    mz_frontier *f = s->frontier;
    bool possible = !n->mutations.observation.impossible;
    f->memory.length = 0;
    mz_bytes_add_number(&f->memory, possible ? MEMORY_OF_LOCATIONS : MEMORY_OF_TRACES);
    if (possible)
        mz_observation_write(&n->mutations.observation, &f->memory);
    mz_frontier_next_epoch(f, possible ? MZ_ITEM_OBSERVATION : MZ_ITEM_ROOT);
}

static void explore_part_loosely(mz_search *s, exploration *n, mz_byte_reader *memory)
{
    s->algorithm_data = n;
    if (!mz_observation_read(&n->mutations.observation, memory)) {
        mz_frontier_refuse(s, "what was learned cannot be read");
        return;
    }
    explore(s, n);
    if (n->again)
        begin_loosely(s, n);
}

static void explore_part(mz_search *s, exploration *n, void (*explore_traces)(mz_search *search))
{
    mz_byte_reader memory = {.data = s->frontier->memory.data, .length = s->frontier->memory.length};
    uint64_t epoch = s->frontier->epoch;
    void (*observe)(void *, mz_search *, mz_leaf) = s->observe;
    if (memory.length > 0 && mz_read_number(&memory) == MEMORY_OF_TRACES) {
        s->is_finer = true;
        explore_traces(s);
    } else if (mz_search_form(s) == MZ_ITEM_OBSERVATION) {
        explore_part_loosely(s, n, &memory);
    } else if (!mz__explore_strictly(s, &n->mutations.observation, explore_traces) &&
               s->frontier->epoch == epoch) {
        begin_loosely(s, n);
    }
    s->observe = observe;
}

static void release(exploration *n)
{
    mz_rf_items_release(&n->items);
    mz_release(n->threads);
    mz_release(n->highest);
    mz_mutations_release(&n->mutations);
}

void mz_explore_observations(mz_search *s, bool only_trees, void (*explore_traces)(mz_search *search))
{
    s->machine->by_observation = true;
    if (s->machine->wakes_by_reads) { /* observations say nothing of who waits for a read */
        s->is_finer = true;
        explore_traces(s);
        return;
    }
    void (*observe)(void *, mz_search *, mz_leaf) = s->observe; /* is to see only what is final */
    exploration n = {.mutations = {.search = s,
                                   .adopt = adopt,
                                   .observation = {.only_trees = only_trees, .looked_at = looked_at(s)}}};
    if (s->frontier) {
        explore_part(s, &n, explore_traces);
        release(&n);
        return;
    }
    bool strict = mz__explore_strictly(s, &n.mutations.observation, explore_traces), done = strict;
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
    release(&n);
}
