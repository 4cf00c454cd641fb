/* Level k explores every execution that costs at most k; the levels follow each other until one of them has
 * refused nothing (then it was the whole program) or the bound's option ends it.
 *
 * Reducing that by source sets, persistent sets or sleep sets is not right as it stands: they leave out an
 * execution because an equivalent one is explored, which may cost more and so never be; and the
 * races that would lead to an execution show only in one that may be refused. (Coons, Musuvathi, McKinley,
 * "Bounded partial-order reduction", OOPSLA 2013, add backtrack points for that.) Here nothing is left out
 * but what *has* been explored. Claim: level k visits exactly the traces that have some linearisation that
 * costs at most k, each once.
 *
 *  (1) Equivalent prefixes lead to the same state (promise 2 of machine.h). What a step costs depends on who
 *      is ready there and on which thread made the step before it, and on nothing else. What can follow a
 *      step for at most k altogether thus depends on the state, on the thread that made it, and on what is
 *      spent by then.
 *  (2) So a thread need not be gone on with after a prefix if that was done after an equivalent one, having
 *      spent no more, its own step's cost included: whatever continues this path continued that one. That is
 *      what visits.h remembers; the subtree of that path was explored with the same rule, hence, by induction
 *      on the length of what is left, in full.
 *  (3) A path never meets a prefix that it is part of itself: traces only grow. What is remembered is thus
 *      finished, or will be before the search of the level ends.
 *  (4) At the end of an execution nothing follows: it is enough to have seen the trace.
 *
 * Not remembered are the states in which there is nothing to decide, because only the last thread may go on:
 * from there the search runs to the next state that is, at the price of some steps, but of no memory. */
#include "algo/bounded/levels.h"

#include "base/memory.h"
#include "base/vector.h"
#include "machine/identity.h"
#include "search/frontier.h"

/* A state on the path. */
typedef struct place {
    mz_hash trace;  /* identity of the events so far */
    uint32_t spent; /* on them */
    mz_threads left;
} place;

typedef struct bounding {
    const mz__bound *bound;
    uint32_t level;
    bool refused; /* some step would have cost too much */
    mz_visits visits;
    place *places; /* [depth] */
    size_t place_capacity;
} bounding;

static bounding *bounding_of(const mz_search *s)
{
    return s->algorithm_data;
}

static mz__standing standing_at(const mz_search *s, size_t depth, uint32_t spent)
{
    return (mz__standing){.ready = s->nodes[depth].enabled,
                          .last = depth == 0 ? MZ_NONE : s->execution->events[depth - 1].thread,
                          .spent = spent};
}

static place place_after(const mz_search *s, size_t depth)
{
    const mz_execution *x = s->execution;
    const bounding *b = bounding_of(s);
    if (depth == 0)
        return (place){.trace = mz_identity_of_nothing(x)};
    place first;
    const place *before = &b->places[depth - 1];
    if (MZ_UNLIKELY(depth == 1)) { /* which may be in an item's prefix, and not noted */
        first = (place){.trace = mz_identity_of_nothing(x)};
        before = &first;
    }
    mz__standing at = standing_at(s, depth - 1, before->spent);
    return (place){.trace = mz_identity_with(before->trace, x, (uint32_t)depth - 1),
                   .spent = at.spent + b->bound->cost(&at, x->events[depth - 1].thread)};
}

/* Only the thread that made the last step can go on: there is nothing to decide. */
static bool is_decided(const mz__standing *at, mz_threads affordable)
{
    return at->last != MZ_NONE && mz_threads_equal(affordable, mz_threads_of(at->last));
}

/* Is there nothing left to explore from the state that the path has reached? */
static bool visited(mz_search *s)
{
    bounding *b = bounding_of(s);
    size_t depth = s->execution->length;
    b->places = mz_grow(b->places, &b->place_capacity, depth + 1, sizeof *b->places);
    place *here = &b->places[depth];
    *here = place_after(s, depth);
    mz__standing at = standing_at(s, depth, here->spent);
    if (!mz_threads_any(at.ready))
        return mz_visits_end(&b->visits, here->trace);
    mz_threads affordable = b->bound->affordable(&at, b->level);
    b->refused |= !mz_threads_equal(affordable, at.ready);
    here->left =
        is_decided(&at, affordable) ? affordable : b->bound->left(&b->visits, here->trace, &at, b->level);
    return !mz_threads_any(here->left);
}

static void explore_what_is_left(mz_search *s, mz_node *node)
{
    node->backtrack = bounding_of(s)->places[s->execution->length].left;
}

/* The cheapest thread first: the cheaper path is to be the first one at as many states as possible. */
static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    const bounding *b = bounding_of(s);
    size_t depth = s->execution->length;
    mz_threads left = node->backtrack & ~node->done;
    if (!mz_threads_any(left))
        return false;
    mz__standing at = standing_at(s, depth, b->places[depth].spent);
    mz_choices_prescribe(&s->choices, NULL, 0);
    *thread = b->bound->first(&at, left);
    return true;
}

/* A node of an item's prefix: only how it was reached is of interest. Nothing new is visited there. */
static void pass(mz_search *s)
{
    bounding *b = bounding_of(s);
    size_t depth = s->execution->length;
    b->places = mz_grow(b->places, &b->place_capacity, depth + 1, sizeof *b->places);
    b->places[depth] = place_after(s, depth);
}

static void continue_level(mz_search *s, bounding *b)
{
    s->algorithm_data = b;
    mz_explore_depth_first(s, &(mz_depth_first){
                                  .track_order = true,
                                  .remembers = true,
                                  .visited = visited,
                                  .enter = explore_what_is_left,
                                  .next = next,
                                  .branches = true,
                                  .pass = pass,
                                  .unsplittable = s->options.stateful,
                              });
    s->walks_tree = false; /* of one level, which tells nothing about the next */
}

static void explore_level(mz_search *s, bounding *b)
{
    b->refused = false;
    mz_visits_clear(&b->visits);
    continue_level(s, b);
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* The level was not the whole program. */
static void say_how_far(mz_search *s, const bounding *b)
{
    const mz__bound *bound = b->bound;
    bool safe_so_far = s->problem_count == 0;
    s->bound_is_done = !s->stop;
    if (!s->stop)
        mz_search_stop(s, "%s at most %u %s%s (--%s)", safe_so_far ? "no error with" : "only executions with",
                       b->level, bound->unit, plural(b->level), bound->option);
    else if (s->incomplete && safe_so_far && b->level > 0)
        mz_text_add(&s->reason, "; no error with at most %u %s%s", b->level - 1, bound->unit,
                    plural(b->level - 1));
}

/* Was it the last level that was asked for? */
static bool is_enough(const mz_search *s, const bounding *b)
{
    uint32_t most;
    return b->bound->most(&s->options, &most) && b->level >= most;
}

/* Level after level, until nothing was refused, or enough. Errors that were found stay found. */
static void explore_levels(mz_search *s, bounding *b)
{
    s->levels_done = 0;
    for (;; b->level++) {
        double began = mz_seconds_now();
        explore_level(s, b);
        if (!s->stop && s->levels_done < MZ_LEVELS_TIMED)
            s->level_seconds[s->levels_done++] = mz_seconds_now() - began;
        if (s->stop || !b->refused || is_enough(s, b))
            return;
        mz_search_start_over(s);
    }
}

/* ---- in parts -------------------------------------------------------------------------------------------
 * An epoch of the frontier is a level. Its items share what has been visited: by (3) it does not matter
 * whether what is remembered has been explored or waits in another item, but each must know of all. */

static void write_memory(const bounding *b, mz_bytes *memory)
{
    memory->length = 0;
    mz_bytes_add_number(memory, b->level);
    mz_bytes_add_number(memory, b->refused);
    mz_visits_write(&b->visits, memory);
}

static bool read_memory(bounding *b, const mz_bytes *memory)
{
    mz_byte_reader r = {.data = memory->data, .length = memory->length};
    b->level = (uint32_t)mz_read_number_to(&r, UINT32_MAX - 1);
    b->refused = mz_read_number_to(&r, 1);
    return mz_visits_read(&b->visits, &r);
}

static void run_part(mz_search *s, const mz__bound *bound)
{
    mz_frontier *f = s->frontier;
    bounding b = {.bound = bound};
    bool is_first = f->memory.length == 0, begins = mz_search_form(s) == MZ_ITEM_ROOT;
    if (!is_first && !read_memory(&b, &f->memory)) {
        mz_frontier_refuse(s, "what was visited cannot be read");
    } else if (begins) {
        b.level += !is_first;
        explore_level(s, &b);
    } else {
        continue_level(s, &b);
    }
    bool enough = is_enough(s, &b);
    f->has_more = b.refused && !enough;
    if (f->refused.length == 0)
        write_memory(&b, &f->memory);
    if (b.refused && enough && !s->stop) {
        say_how_far(s, &b);
        s->stop = false; /* the item was explored to its end */
    }
    mz_visits_release(&b.visits);
    mz_release(b.places);
}

void mz__explore_levels(mz_search *s, const mz__bound *bound)
{
    if (s->frontier) {
        run_part(s, bound);
        return;
    }
    bounding b = {.bound = bound};
    void (*observe)(void *, mz_search *, mz_leaf) = s->observe;
    s->observe = NULL; /* who watches is to see every trace once: at the last level */
    explore_levels(s, &b);
    s->observe = observe;
    if (observe && !s->stop) {
        mz_search_start_over(s);
        explore_level(s, &b);
    }
    if (s->stop || b.refused)
        say_how_far(s, &b);
    mz_visits_release(&b.visits);
    mz_release(b.places);
}
