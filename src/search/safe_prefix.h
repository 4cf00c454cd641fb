/* The safe prefix of the first trace: what safe execution lives on (wire/plan_format.h, safe/plan/extract.c).
 *
 * Let T be the first complete execution of a depth-first search with source sets. When the search leaves the
 * state after the first d events of T for good, every execution that goes on from there has been explored, up
 * to equivalence: that is what the correctness of source sets with sleep sets says of each call of the
 * exploration, given that the call's sleep set is empty, and those on the first path are, since nothing has
 * been explored before them (checked at the end of T). Races found below the state may add to what is
 * explored from earlier states, never to a state that has been left. So if none of these executions failed,
 * got stuck, was cut off or left out, the first d events of T are a safe prefix; and it becomes shorter as
 * the search goes back along T.
 *
 * A choice is made in the step of an event: its other values belong to the state before that event. Those
 * made before the first event belong to the empty prefix, unless the search is for one valuation of them
 * only, which has a T and a safe prefix of its own. In the same way it may be for one valuation of the inputs
 * that are read up to some event of T: then the prefix becomes no shorter than that. What the calls of the
 * exploration further up would have explored is another search's.
 *
 * An execution that is not safe and has its first k events in common with T is met after everything below the
 * states k + 1, k + 2, … of T: the prefix has come down to k + 1, and stays there. There is nothing left to
 * find out, and the search ends.
 *
 * If T itself is not safe, the search goes on until it meets an execution that is; another search, told to
 * follow that one first, has it as its T. (Source sets may begin with any thread.) */
#ifndef MZ_SEARCH_SAFE_PREFIX_H
#define MZ_SEARCH_SAFE_PREFIX_H

#include "search/items/schedule.h"
#include "search/search.h"

typedef struct mz_safe_prefix {
    /* Given. */
    const mz_schedule *follow; /* T is to be this execution; NULL: any */
    /* One valuation of the choices in its first `fixed` events, too: the search ends when everything that
     * begins with these events, and these choices, is explored. */
    size_t fixed;
    /* T has been explored and is safe: it is the search's execution, and the machine may be used. */
    void (*begin)(void *context, mz_search *search);
    /* The first `depth` events of T are a safe prefix; beginning with all of them. May end the search. */
    void (*shrink)(void *context, mz_search *search, size_t depth);
    void *context;

    /* Found. */
    bool has_first; /* there is a T */
    bool exhausted; /* an execution that is not safe was met after T */
    bool finished;  /* nothing that begins with the fixed events is left */
    bool has_other; /* T was not safe, but this one is: */
    mz_schedule other;
    /* The search's own. */
    size_t shared; /* the current execution has this many of its first events in common with T */
    size_t lowest; /* no shorter prefix, because not all choices are tried */
} mz_safe_prefix;

/* ---- for the driver (depth_first.c) and the algorithm ----------------------------------------------------
 */

/* Before the reset: those of the choices are prescribed that come before the first event. */
void mz_safe_prefix_begin(mz_search *search);
/* An execution has ended. */
void mz_safe_prefix_leaf(mz_search *search, mz_leaf leaf);
/* The node at the end of the current execution is about to be left for good. */
void mz_safe_prefix_left(mz_search *search);
/* While T is being followed: which thread is next at the top node, its choices prescribed. */
bool mz_safe_prefix_follow(mz_search *search, uint32_t *thread);
/* Of these threads the one to explore first at the top node. */
static inline uint32_t mz_first_to_explore(const mz_search *search, mz_threads awake)
{
    const mz_safe_prefix *p = search->options.safe_prefix;
    size_t depth = search->execution->length;
    if (p && p->follow && !p->has_first && depth < p->follow->length &&
        mz_threads_has(awake, p->follow->threads[depth]))
        return p->follow->threads[depth];
    return mz_threads_first(awake);
}

#endif
