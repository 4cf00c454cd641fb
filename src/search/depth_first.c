/* The depth-first driver: walks the tree of executions that the hooks ask for. It keeps a snapshot per
 * depth, the choices of each event, and the classification of how executions end. */

#include "base/memory.h"
#include "base/vector.h"
#include "search/branches.h"
#include "search/driver.h"
#include "search/frontier.h"
#include "search/leaf.h"
#include "search/loop_closing.h"
#include "search/safe_prefix.h"
#include "search/scout.h"
#include "search/search.h"

static bool is_visited(mz_search *s, const mz_depth_first *algorithm)
{
    if (!s->options.stateful && !algorithm->remembers)
        return false;
    return algorithm->visited ? algorithm->visited(s)
                              : !mz_hash_set_add(&s->visited, s->machine->class->fingerprint(s->machine));
}

/* Go on from the state the machine has arrived at. */
MZ_PART void enter(mz_search *s, const mz_depth_first *algorithm, mz_node *node, mz__driver_mode how)
{
    mz_threads sleep = how.directed ? MZ_NO_THREADS : node->sleep;
    if (s->stop)
        return;
    if (!how.usual && is_visited(s, algorithm)) {
        mz_leaf_end(s, algorithm, MZ_LEAF_VISITED);
    } else if (s->machine->status->boundary && mz_boundary_closes(s)) {
        mz_leaf_end(s, algorithm, MZ_LEAF_CLOSED);
    } else if (!mz_threads_any(node->enabled)) {
        mz_leaf_end(s, algorithm, mz_leaf_of(s->machine->status));
    } else if (!mz_threads_any(node->enabled & ~sleep)) {
        mz_leaf_end(s, algorithm, MZ_LEAF_BLOCKED);
    } else if (!how.usual && s->options.depth > 0 && s->execution->length >= s->options.depth) {
        mz_leaf_end(s, algorithm, MZ_LEAF_CUT);
    } else if (!how.directed) {
        algorithm->enter(s, node);
        if (mz_threads_any(node->backtrack) &&
            !mz_threads_any(node->backtrack & ~sleep)) /* all that is to be explored sleeps */
            mz_leaf_end(s, algorithm, MZ_LEAF_BLOCKED);
    }
}

/* The accesses with every one of them a write: then all on one location depend on each other. */
static const mz_access *as_writes(mz_search *s, const mz_operation *executed)
{
    s->accesses = mz_grow(s->accesses, &s->access_capacity, executed->access_count, sizeof *s->accesses);
    for (uint32_t i = 0; i < executed->access_count; i++)
        s->accesses[i] = (mz_access){executed->accesses[i].location, executed->accesses[i].kind | MZ_WRITE};
    return s->accesses;
}

/* False if the search ends with it: the error completes this execution. */
static bool report_failures(mz_search *s, const mz_depth_first *algorithm)
{
    if (s->stop) /* a limit has cut the execution short */
        return false;
    mz_search_report_failures(s);
    s->lost |= s->stop;
    if (s->stop)
        mz_leaf_count(s, algorithm, MZ_LEAF_FAILED);
    else
        mz_search_return_to(s, s->execution->length);
    return !s->stop;
}

static bool begins_again(mz_search *s)
{
    s->begin_again = s->machine->begin_again;
    s->stop |= s->begin_again;
    return s->begin_again;
}

/* The program cannot be followed any further. */
static void stop_here(mz_search *s)
{
    const mz_machine *machine = s->machine;
    s->gave_up = true;
    mz_search_stop(s, "%s", mz_text_string(&machine->failures[machine->failure_count - 1].message));
}

/* A thread was left. There may be no end of such executions, each of them long. */
static __attribute__((noinline)) void note_stuck(mz_search *s)
{
    uint64_t limit = s->options.limits.stuck;
    s->stuck++;
    if (limit > 0 && s->stuck >= limit)
        mz_search_stop(s, "%llu times a thread was followed no further; with --timeout=T the search goes on",
                       (unsigned long long)s->stuck);
}

/* The search stops before the step of the thread, with the choices that are prescribed: it waits. */
static __attribute__((noinline)) void leave_undone(mz_search *s, uint32_t thread)
{
    s->undone = thread;
}

/* Perform the thread's operation at the top node, its first choices given. Part of its caller: a step of a
 * real program switches stacks, after which the processor predicts a return wrongly
 * (program/world/fiber.h). */
MZ_PART void descend(mz_search *s, const mz_depth_first *algorithm, uint32_t thread, mz__driver_mode how)
{
    mz_machine *machine = s->machine;
    size_t depth = s->execution->length;
    if (MZ_UNLIKELY(s->options.limits.depth > 0 && depth >= s->options.limits.depth)) {
        mz_search_stop_as_too_long(s, s->options.limits.depth);
        leave_undone(s, thread);
        return;
    }
    if (!how.usual && mz_search_has_enough(s)) {
        leave_undone(s, thread);
        return;
    }
    if (s->machine_depth != depth) {
        mz_search_go_to(s, depth);
        if (MZ_UNLIKELY(s->stop)) {
            leave_undone(s, thread);
            return;
        }
    }
    mz_operation executed;
    if (how.usual && (how.directed || algorithm->stretches) && has_room_for_stretch(s, depth))
        allow_further(s, thread, depth, how);
    mz_outcome outcome = machine->class->step(machine, thread, &s->choices, &executed);
    bool goes_on = how.usual && machine->further_count > 0;
    if (MZ_UNLIKELY(machine->begin_again)) {
        s->machine_depth = SIZE_MAX;
        begins_again(s);
        return;
    }
    if (!how.usual && algorithm->object_dependency)
        executed.accesses = as_writes(s, &executed);
    mz_execution_push(s->execution, thread, &executed, goes_on ? &no_choices : &s->choices);
    if (goes_on)
        add_further(s, thread, how);
    if (MZ_UNLIKELY(outcome == MZ_STEP_GIVEN_UP)) {
        arrive(s, s->execution->length, how); /* with nothing to come: that is counted (share.c) */
        s->machine_depth = SIZE_MAX;
        stop_here(s);
        return;
    }
    mz_search_count_events(s, 1);
    if (MZ_UNLIKELY(outcome == MZ_STEP_STUCK))
        note_stuck(s);
    mz_node *node = &s->nodes[depth];
    mz_threads sleep = MZ_NO_THREADS;
    if (!how.directed && !goes_on && algorithm->sleep &&
        (!how.usual || mz_threads_any(node->sleep | node->done)))
        sleep = algorithm->sleep(s, node, thread, &executed);
    node = arrive(s, s->execution->length, how);
    if (!how.directed)
        node->sleep = sleep;
    if (MZ_UNLIKELY(outcome == MZ_STEP_FAILED) && !report_failures(s, algorithm))
        return;
    enter(s, algorithm, node, how);
}

/* Leave the child that was explored last, by this event: is its thread to be explored from here again, with
 * other choices? If so, they are prescribed; otherwise it is done. */
MZ_PART bool leave_child(mz_search *s, const mz_depth_first *algorithm, const mz_event *event, mz_node *node,
                         mz__driver_mode how)
{
    mz_choice *choices = s->execution->choices + event->first_choice;
    size_t next = 0;
    if (MZ_UNLIKELY(event->choice_count > 0) &&
        (how.usual || !algorithm->try_choices || algorithm->try_choices(s)))
        next = mz_choices_next(choices, event->choice_count);
    if (MZ_UNLIKELY(next > 0)) {
        mz_choices_prescribe(&s->choices, choices, next);
    } else {
        node->done |= mz_threads_of(event->thread);
        end_branch(s, node);
    }
    return next > 0;
}

/* The node's only child, by this event, is left: so is the node, for good, and there is nothing to be noted
 * about it. */
static inline bool is_dead_end(const mz_node *node, const mz_event *event)
{
    return node->alone || (!mz_threads_any(left_of(node) & ~mz_threads_of(event->thread)) &&
                           event->choice_count == 0 && node->began == node->entered);
}

/* Back to the node at this depth, which is not the top one. */
MZ_PART void return_to(mz_search *s, size_t depth)
{
    mz_execution_cut(s->execution, depth);
    s->at_leaf = false;
    if (s->first_new > depth)
        s->first_new = depth;
    while (s->open_count > 0 && s->open[s->open_count - 1].depth > depth)
        s->open_count--;
}

/* Back to a node from which there may be more to explore: true if that is the thread of the child that was
 * left. Usually all events on the way are taken back at once; others may want to know of every node. */
MZ_PART bool retreat(mz_search *s, const mz_depth_first *algorithm, uint32_t *thread, mz__driver_mode how)
{
    mz_execution *x = s->execution;
    size_t last = x->length - 1;
    bool again;
    for (;; last--) {
        while (how.usual && last > s->floor && is_dead_end(&s->nodes[last], &x->events[last]))
            last--;
        again = leave_child(s, algorithm, &x->events[last], &s->nodes[last], how);
        if (!how.usual || again || last == s->floor || mz_threads_any(left_of(&s->nodes[last])))
            break;
    }
    *thread = x->events[last].thread;
    return_to(s, last);
    return again;
}

static inline bool next_of_backtrack(mz_search *s, mz_node *node, uint32_t *thread)
{
    mz_threads next = left_of(node);
    if (!mz_threads_any(next))
        return false;
    mz_choices_prescribe(&s->choices, NULL, 0);
    *thread = mz_threads_first(next);
    return true;
}

static inline bool next_of_script(mz_search *s, const mz_node *node, uint32_t *thread)
{
    size_t depth = s->execution->length;
    if (goes_by_default(s, depth))
        *thread = mz_threads_first(node->enabled);
    else if (depth < s->script_end && mz_threads_has(node->enabled, s->script[depth]))
        *thread = s->script[depth];
    else
        return false;
    if (MZ_UNLIKELY(s->choices.count > 0))
        return false;
    mz_choices_prescribe(&s->choices, NULL, 0);
    return true;
}

/* Where nobody can go on nobody is asked, and choices are the first ones unless others are prescribed. */
static inline bool ask_for_next(mz_search *s, const mz_depth_first *algorithm, mz_node *node,
                                uint32_t *thread)
{
    mz_choices_prescribe(&s->choices, NULL, 0);
    return mz_threads_any(node->enabled) && algorithm->next(s, node, thread);
}

/* Which thread is to be explored next from the top node? */
MZ_PART bool find_next(mz_search *s, const mz_depth_first *algorithm, uint32_t *thread, mz__driver_mode how)
{
    mz_node *node = &s->nodes[s->execution->length];
    if (!how.usual && s->options.safe_prefix && mz_safe_prefix_follow(s, thread))
        return true;
    if (how.directed && (!mz_threads_any(node->enabled) || next_of_script(s, node, thread)))
        return mz_threads_any(node->enabled);
    if (how.directed)
        return algorithm->next(s, node, thread);
    return !how.usual && algorithm->next ? ask_for_next(s, algorithm, node, thread)
                                         : next_of_backtrack(s, node, thread);
}

MZ_PART void walk(mz_search *s, const mz_depth_first *algorithm, mz__driver_mode how)
{
    while (!s->stop) {
        uint32_t thread;
        if (!find_next(s, algorithm, &thread, how)) {
            if (s->execution->length == s->floor || s->stop) /* the algorithm may have ended it */
                break;
            if (s->sampling_due > 0) {
                mz_search_sample_meanwhile(s);
                continue;
            }
            if (MZ_UNLIKELY(s->scouting_due)) {
                mz_search_scout(s);
                continue;
            }
            if (!how.usual && s->options.safe_prefix)
                mz_safe_prefix_left(s);
            if (how.directed) {
                return_to(s, algorithm->return_to(s));
                continue;
            }
            if (!retreat(s, algorithm, &thread, how))
                continue;
        }
        descend(s, algorithm, thread, how);
    }
}

static void walk_on(mz_search *s, const mz_depth_first *algorithm)
{
    bool directed = algorithm->return_to;
    if (is_usual(s, algorithm) && directed)
        walk(s, algorithm, (mz__driver_mode){.usual = true, .directed = true});
    else if (is_usual(s, algorithm))
        walk(s, algorithm, (mz__driver_mode){.usual = true});
    else
        walk(s, algorithm, (mz__driver_mode){.directed = directed});
}

/* ---- items of the frontier ------------------------------------------------------------------------------
 */

/* One step of an item's prefix. Nothing is looked at, and nothing waits at its nodes. */
static bool pass_step(mz_search *s, const mz_depth_first *algorithm, size_t at)
{
    mz_machine *machine = s->machine;
    const mz_schedule *prefix = &s->item->prefix;
    size_t count;
    const mz_choice *choices = mz_schedule_choices(prefix, at, &count);
    mz_operation executed;
    if (!mz_threads_has(machine->status->ready, prefix->threads[at]))
        return false;
    mz_choices_prescribe(&s->choices, choices, count);
    machine->most_further = machine->goes_on = machine->together = 0;
    mz_outcome outcome = machine->class->step(machine, prefix->threads[at], &s->choices, &executed);
    if (begins_again(s))
        return true;
    if (outcome == MZ_STEP_GIVEN_UP || s->choices.count != count)
        return false;
    if (algorithm->object_dependency)
        executed.accesses = as_writes(s, &executed);
    mz_execution_push(s->execution, prefix->threads[at], &executed, &s->choices);
    mz_search_count_events(s, 1);
    arrive(s, s->execution->length, (mz__driver_mode){0});
    if (algorithm->pass)
        algorithm->pass(s);
    if (outcome == MZ_STEP_FAILED)
        report_failures(s, algorithm);
    return true;
}

/* False if it does not fit the program. */
static bool pass_prefix(mz_search *s, const mz_depth_first *algorithm, size_t length)
{
    for (size_t i = 0; i < length && !s->stop; i++)
        if (!pass_step(s, algorithm, i))
            return false;
    return true;
}

static void put_back(mz_search *s)
{
    mz_work_item copy = {.form = s->item->form, .whole = s->item->whole};
    mz_schedule_copy_part(&copy.prefix, &s->item->prefix, s->item->prefix.length);
    mz_bytes_copy(&copy.payload, &s->item->payload);
    mz_frontier_put(s->frontier, &copy);
    s->was_put_back = true;
}

/* All but the steps of the prefix is work that nobody else has done. */
static void note_passed(mz_search *s)
{
    s->passed_events = s->statistics.events;
    s->passed_checks = s->execution->dependency_checks;
}

/* Nodes on the way are not ours; what whoever gave the item away knew of them is known here, too. */
static bool read_known(mz_search *s, size_t root, mz_byte_reader *known)
{
    size_t depth;
    mz_threads threads;
    for (size_t i = 0; i < root; i++)
        s->nodes[i].backtrack = s->nodes[i].sleep = s->nodes[i].done = MZ_NO_THREADS;
    while (mz_branch_read_known(s->item, known, &depth, &threads))
        s->nodes[depth].backtrack = threads;
    return !known->failed;
}

/* The last step, from the node before it; that one is not ours, those behind it are. */
static bool begin_branch(mz_search *s, const mz_depth_first *algorithm)
{
    const mz_schedule *prefix = &s->item->prefix;
    size_t root = prefix->length - 1, first_new, count;
    mz_threads sleep;
    mz_byte_reader known;
    if (!mz_branch_read(s->item, &sleep, &first_new, &known) || !pass_prefix(s, algorithm, root))
        return false;
    note_passed(s);
    if (s->stop) {
        put_back(s);
        return true;
    }
    uint32_t thread = prefix->threads[root];
    const mz_choice *choices = mz_schedule_choices(prefix, root, &count);
    if (!mz_threads_has(s->nodes[root].enabled, thread) || !read_known(s, root, &known))
        return false;
    s->nodes[root].sleep = sleep;
    s->nodes[root].backtrack = mz_threads_of(thread);
    s->floor = root;
    s->own_from = root + 1;
    s->first_new = first_new;
    s->at_leaf = false;
    mz_choices_prescribe(&s->choices, choices, count);
    descend(s, algorithm, thread, (mz__driver_mode){0});
    walk_on(s, algorithm);
    return true;
}

/* The algorithm knows what to do where the prefix has led. */
static bool begin_own_form(mz_search *s, const mz_depth_first *algorithm)
{
    size_t length = algorithm->pass ? s->item->prefix.length : 0;
    if (s->item->form != algorithm->form || !pass_prefix(s, algorithm, length))
        return false;
    note_passed(s);
    if (s->stop) {
        put_back(s);
        return true;
    }
    enter(s, algorithm, &s->nodes[length], (mz__driver_mode){0});
    if (!s->stop && !algorithm->begin(s, s->item))
        return false;
    walk_on(s, algorithm);
    return true;
}

static void explore_item(mz_search *s, const mz_depth_first *algorithm)
{
    bool fits = s->execution->initial_choices == s->item->prefix.initial_choices;
    s->walks_tree = false;
    if (!fits || !(algorithm->form ? begin_own_form(s, algorithm) : begin_branch(s, algorithm)))
        mz_frontier_refuse(s, "its steps cannot be made");
}

/* ---- the whole tree -------------------------------------------------------------------------------------
 */

/* Reset the machine, its first choices prescribed. False if the search has ended with it. */
static bool begin_execution(mz_search *s, const mz_depth_first *algorithm)
{
    mz_machine *machine = s->machine;
    mz_outcome outcome = machine->class->reset(machine, &s->choices);
    mz_execution_restart(s->execution, &s->choices);
    s->first_new = s->open_count = s->floor = s->own_from = 0;
    s->at_leaf = s->has_begun = false;
    s->script_end = 0;
    s->default_from = SIZE_MAX; /* an algorithm that does not say otherwise is asked at every node */
    arrive(s, 0, (mz__driver_mode){0});
    if (begins_again(s))
        return false;
    if (outcome == MZ_STEP_GIVEN_UP)
        stop_here(s);
    if (outcome == MZ_STEP_STUCK)
        note_stuck(s);
    if (outcome == MZ_STEP_FAILED)
        report_failures(s, algorithm);
    mz_search_look_around(s);
    return !s->stop;
}

/* Once for every combination of the choices that are made before the first operation. */
static void explore_all(mz_search *s, const mz_depth_first *algorithm)
{
    size_t prescribed;
    do {
        if (!begin_execution(s, algorithm))
            break;
        s->has_begun = true;
        if (mz_search_is_part(s)) {
            explore_item(s, algorithm);
            break;
        }
        enter(s, algorithm, &s->nodes[0], (mz__driver_mode){0});
        walk_on(s, algorithm);
        prescribed = 0;
        if (!s->options.one_valuation && !s->gave_valuations && !s->stop)
            prescribed = mz_choices_next(s->execution->choices, s->execution->initial_choices);
        mz_choices_prescribe(&s->choices, s->execution->choices, prescribed);
    } while (prescribed > 0 && !mz_search_has_enough(s));
}

void mz_explore_depth_first(mz_search *s, const mz_depth_first *algorithm)
{
    s->execution = mz_execution_create(s->machine, algorithm->track_order || s->observe);
    s->walks_tree = !algorithm->return_to;
    if (s->item && s->item->form != MZ_ITEM_ROOT)
        mz_choices_prescribe(&s->choices, s->item->prefix.choices, s->item->prefix.initial_choices);
    else
        mz_choices_prescribe(&s->choices, s->options.valuation, s->options.valuation_length);
    if (s->options.safe_prefix)
        mz_safe_prefix_begin(s);
    explore_all(s, algorithm);
    if (s->options.safe_prefix)
        mz_safe_prefix_left(s);
    begins_again(s); /* also if that was learned while something was repeated */
    if (s->frontier && s->stop)
        mz_search_dissolve(s, algorithm);
    s->statistics.dependency_checks = s->execution->dependency_checks;
}
