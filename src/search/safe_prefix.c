#include "search/safe_prefix.h"

#include <assert.h>

#include "base/memory.h"

/* A prescribed choice is followed by those after it only: to have tried them all, it must be the first. */
static bool skips_values(const mz_choice *choices, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (choices[i].value != mz_choice_first(choices[i].low, choices[i].high))
            return true;
    return false;
}

void mz_safe_prefix_begin(mz_search *s)
{
    mz_safe_prefix *p = s->options.safe_prefix;
    assert(s->options.all_errors); /* it is decided here what ends the search */
    p->lowest = p->fixed;
    if (!p->follow || s->options.one_valuation)
        return;
    mz_choices_prescribe(&s->choices, p->follow->choices, p->follow->initial_choices);
    if (skips_values(p->follow->choices, 0, p->follow->initial_choices))
        p->lowest = 1;
}

bool mz_safe_prefix_follow(mz_search *s, uint32_t *thread)
{
    mz_safe_prefix *p = s->options.safe_prefix;
    const mz_schedule *f = p->follow;
    size_t depth = s->execution->length;
    const mz_node *node = &s->nodes[depth];
    if (!f || p->has_first || s->statistics.executions > 0 || depth >= f->length ||
        !mz_threads_has(node->enabled, f->threads[depth]))
        return false;
    size_t begin = depth > 0 ? f->choice_ends[depth - 1] : f->initial_choices, end = f->choice_ends[depth];
    mz_choices_prescribe(&s->choices, f->choices + begin, end - begin);
    if (skips_values(f->choices, begin, end) && depth >= p->fixed)
        p->lowest = depth + 1;
    *thread = f->threads[depth];
    return true;
}

/* ---- T and its prefix -----------------------------------------------------------------------------------
 */

static bool first_path_is_awake(const mz_search *s)
{
    for (size_t i = 0; i <= s->execution->length; i++)
        if (mz_threads_any(s->nodes[i].sleep))
            return false;
    return true;
}

static void take_first(mz_search *s)
{
    mz_safe_prefix *p = s->options.safe_prefix;
    assert(first_path_is_awake(s));
    p->has_first = true;
    p->shared = s->execution->length;
    p->begin(p->context, s);
    s->machine_depth = SIZE_MAX;
    s->machine_prefix = 0;
}

static void take_other(mz_search *s)
{
    mz_safe_prefix *p = s->options.safe_prefix;
    p->has_other = true;
    mz_schedule_copy(&p->other, s->execution);
    s->stop = true;
}

/* Not safe, although no error was found that counts. */
static void stop_unsafe(mz_search *s, mz_leaf leaf)
{
    mz_search_stop(s, leaf == MZ_LEAF_PRUNED ? "an execution ends before its end: an assumption does not hold"
                                             : "an execution fails in a way that --check leaves out");
}

void mz_safe_prefix_leaf(mz_search *s, mz_leaf leaf)
{
    mz_safe_prefix *p = s->options.safe_prefix;
    if (s->stop || leaf == MZ_LEAF_BLOCKED)
        return; /* cut off, which nobody leaves for good; or redundant: its like are explored elsewhere */
    bool safe = leaf == MZ_LEAF_COMPLETE && s->open_count == 0;
    if (!p->has_first && safe && s->statistics.executions == 1) {
        take_first(s);
    } else if (!p->has_first && safe) {
        take_other(s);
    } else if (p->has_first && !safe) {
        p->exhausted = true;
        s->stop = true;
        if (s->open_count == 0)
            stop_unsafe(s, leaf);
    }
}

void mz_safe_prefix_left(mz_search *s)
{
    mz_safe_prefix *p = s->options.safe_prefix;
    size_t depth = s->execution->length;
    if (!p->has_first || depth != p->shared || s->stop)
        return;
    if (depth >= p->lowest)
        p->shrink(p->context, s, depth);
    if (depth > 0)
        p->shared = depth - 1;
    if (depth == p->fixed && depth > 0)
        p->finished = s->stop = true;
}
