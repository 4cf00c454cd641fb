/* What waits at a node of the path: the threads of its backtrack set that neither sleep nor are done, and the
 * greater choices of the event that was last explored from it. Each becomes an item. Whoever is given out
 * first sleeps for those after it, as it would if the search had explored it itself; so does the thread below
 * which the search is now. */
#include "search/branches.h"

#include "base/memory.h"
#include "search/frontier.h"

/* Races above an item's root are for their owners. Most need no message: one of those that would do is known
 * to sleep there, or to be explored. The step on the way goes without saying. */
static void write_known(const mz_search *s, size_t depth, mz_work_item *item)
{
    for (size_t i = 0; i < depth; i++) {
        const mz_node *node = &s->nodes[i];
        mz_threads known = node->backtrack | node->sleep | node->done;
        if (mz_threads_any(known & ~mz_threads_of(s->execution->events[i].thread)))
            mz_branch_write_known(item, i, known);
    }
}

/* One branch of the node at this depth. */
static void put(mz_search *s, const mz_depth_first *algorithm, size_t depth, uint32_t thread,
                const mz_choice *choices, size_t count, mz_threads sleep)
{
    mz_work_item item = {.form = MZ_ITEM_BRANCH};
    mz_schedule_copy_first(&item.prefix, s->execution, depth);
    mz_schedule_add(&item.prefix, thread, choices, count);
    mz_branch_write(&item, sleep & ~mz_threads_of(thread), s->first_new < depth ? s->first_new : depth);
    if (algorithm->grows)
        write_known(s, depth, &item);
    mz_frontier_put(s->frontier, &item);
}

/* The event that leads on from the node: again with the same choices if it is not finished, otherwise with
 * the next ones, if there are any. */
static void put_event(mz_search *s, const mz_depth_first *algorithm, size_t depth, bool finished)
{
    const mz_event *event = &s->execution->events[depth];
    const mz_node *node = &s->nodes[depth];
    size_t count = event->choice_count;
    mz_choice *choices = mz_allocate_zeroed(count, sizeof *choices);
    mz_choice *others = mz_allocate_zeroed(count, sizeof *others);
    for (size_t i = 0; i < count; i++)
        choices[i] = s->execution->choices[event->first_choice + i];
    if (finished)
        count = mz_choices_next(choices, count);
    size_t more = finished ? mz_choices_divide(choices, count, others) : 0;
    if (count > 0 || !finished)
        put(s, algorithm, depth, event->thread, choices, count, node->sleep | node->done);
    if (more > 0)
        put(s, algorithm, depth, event->thread, others, more, node->sleep | node->done);
    mz_release(others);
    mz_release(choices);
}

static uint32_t first_of(const mz_search *s, const mz_depth_first *algorithm, size_t depth, mz_threads left)
{
    return algorithm->first_of ? algorithm->first_of(s, depth, left) : mz_threads_first(left);
}

/* All that waits at the node. The top node has no event; it may have a step that was about to be made. */
static void hand_out_node(mz_search *s, const mz_depth_first *algorithm, size_t depth, bool unfinished)
{
    const mz_node *node = &s->nodes[depth];
    bool has_event = depth < s->execution->length, has_step = !has_event && s->undone != MZ_NONE;
    uint32_t current = has_event ? s->execution->events[depth].thread : s->undone;
    mz_threads sleep = node->sleep | node->done;
    if (has_event)
        put_event(s, algorithm, depth, !unfinished);
    else if (has_step)
        put(s, algorithm, depth, current, s->choices.made, s->choices.prescribed, sleep);
    if (has_event || has_step)
        sleep |= mz_threads_of(current);
    mz_threads explored = node->backtrack | node->done | (sleep & ~node->sleep);
    if (depth < s->own_from)
        return;
    for (mz_threads left = node->backtrack & ~sleep; mz_threads_any(left);) {
        uint32_t thread = first_of(s, algorithm, depth, left);
        put(s, algorithm, depth, thread, NULL, 0, sleep);
        sleep |= mz_threads_of(thread);
        left &= ~mz_threads_of(thread);
    }
    if (algorithm->grows)
        mz_frontier_own(s, depth, explored);
}

static void put_if_any(mz_search *s, mz_work_item *valuations)
{
    if (valuations->prefix.initial_choices > 0)
        mz_frontier_put(s->frontier, valuations);
    else
        mz_work_item_release(valuations);
}

void mz_hand_out_valuations(mz_search *s, mz_item_form form)
{
    const mz_execution *x = s->execution;
    size_t count = x->initial_choices;
    if (s->options.one_valuation || mz_search_is_part(s) || s->gave_valuations)
        return;
    s->gave_valuations = true;
    mz_work_item item = {.form = form, .whole = true}, other = item;
    item.prefix.choices = mz_allocate_zeroed(count, sizeof *item.prefix.choices);
    other.prefix.choices = mz_allocate_zeroed(count, sizeof *other.prefix.choices);
    for (size_t i = 0; i < count; i++)
        item.prefix.choices[i] = x->choices[i];
    item.prefix.initial_choices = mz_choices_next(item.prefix.choices, count);
    other.prefix.initial_choices =
        mz_choices_divide(item.prefix.choices, item.prefix.initial_choices, other.prefix.choices);
    put_if_any(s, &item);
    put_if_any(s, &other);
}

/* The state that the search has come to is the end of no execution, and it has not looked at it. */
static bool is_unfinished(const mz_search *s)
{
    return !s->at_leaf && s->undone == MZ_NONE && !mz_threads_any(s->nodes[s->execution->length].backtrack);
}

static void hand_out_all(mz_search *s, const mz_depth_first *algorithm)
{
    size_t length = s->execution->length;
    bool unfinished = is_unfinished(s);
    for (size_t depth = s->floor; depth < length; depth++)
        hand_out_node(s, algorithm, depth, unfinished && depth + 1 == length);
    if (!unfinished && !s->at_leaf)
        hand_out_node(s, algorithm, length, false);
}

/* The node at which something waits becomes the lowest that the search does not return to. */
static void hand_out_first(mz_search *s, const mz_depth_first *algorithm)
{
    size_t before = s->frontier->count, depth = s->floor;
    for (; depth < s->execution->length && s->frontier->count == before; depth++)
        hand_out_node(s, algorithm, depth, false);
    s->floor = s->own_from = depth;
}

void mz_branches_hand_out(mz_search *s, const mz_depth_first *algorithm, bool all)
{
    if (all)
        hand_out_all(s, algorithm);
    else
        hand_out_first(s, algorithm);
}
