/* From a running search to items: all of it, when it stops, or a part while it goes on. */
#include "search/branches.h"
#include "search/frontier.h"

/* Nothing but the reset was done. */
static void hand_out_beginning(mz_search *s, mz_item_form form)
{
    mz_work_item item = {.form = form, .whole = true};
    mz_schedule_copy_first(&item.prefix, s->execution, 0);
    mz_frontier_put(s->frontier, &item);
}

/* The search's own item once more: all that it leaves is in there, and what it has done as well. To tell one
 * from the other takes time and memory in the square of the longest execution: each node that still has
 * something to do is the steps that lead to it. Where nobody is going to go on, that is for nothing, and a
 * search that has to be over in time would not be. */
static void hand_out_item_again(mz_search *s)
{
    mz_work_item again = {.form = MZ_ITEM_ROOT, .whole = true};
    if (s->item && s->item->form != MZ_ITEM_ROOT)
        mz_work_item_copy(&again, s->item);
    mz_frontier_put(s->frontier, &again);
    s->frontier->left_whole = true;
}

static bool is_interrupted(const mz_search *s)
{
    const volatile sig_atomic_t *interrupted = s->options.limits.interrupted;
    return interrupted && *interrupted == MZ_INTERRUPTED;
}

static mz_item_form form_of(const mz_depth_first *algorithm)
{
    return algorithm->form ? algorithm->form : MZ_ITEM_BRANCH;
}

static void hand_out(mz_search *s, const mz_depth_first *algorithm, bool all)
{
    if (algorithm->hand_out)
        algorithm->hand_out(s, all);
    else
        mz_branches_hand_out(s, algorithm, all);
}

void mz_search_dissolve(mz_search *s, const mz_depth_first *algorithm)
{
    mz_frontier *f = s->frontier;
    if (s->begin_again || f->refused.length > 0)
        return;
    if (s->was_put_back) {
        s->has_dissolved = true;
        return;
    }
    if (s->lost || s->gave_up || s->internal_error || !mz_can_split(s, algorithm)) {
        f->lost = true;
    } else if (f->coarse && s->pause != MZ_PAUSE_DISSOLVE && !is_interrupted(s)) {
        hand_out_item_again(s);
    } else if (!s->has_begun && !algorithm->counts) {
        hand_out_beginning(s, form_of(algorithm));
    } else {
        mz_hand_out_valuations(s, form_of(algorithm));
        hand_out(s, algorithm, true);
    }
    s->has_dissolved = !f->lost;
}

void mz_search_pause(mz_search *s, const mz_depth_first *algorithm)
{
    if (!s->frontier || !mz_can_split(s, algorithm) || s->stop)
        return;
    if (s->pause == MZ_PAUSE_DISSOLVE) {
        s->stop = true;
        return;
    }
    size_t before = s->frontier->count;
    s->pause = MZ_PAUSE_NOT;
    mz_hand_out_valuations(s, form_of(algorithm));
    if (s->frontier->count == before)
        hand_out(s, algorithm, false);
    if (s->after_split && s->frontier->count > before)
        s->after_split(s->split_context, s);
}
