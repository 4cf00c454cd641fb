/* Few preemptions first: Musuvathi, Qadeer, "Iterative context bounding for systematic testing of
 * multithreaded programs", PLDI 2007.
 *
 * A *preemption* is a step of another thread where the one that made the last step could have gone on.
 * Switching away from a thread that waits or has ended costs nothing. Level k explores every execution with
 * at most k preemptions; the levels follow each other until one of them has refused nothing (then it was the
 * whole program) or --preemptions=K ends it.
 *
 * Reducing that by source sets, persistent sets or sleep sets is not right as it stands: they leave out an
 * execution because an equivalent one is explored, which may need more preemptions and so never be; and the
 * races that would lead to an execution show only in one that may be refused. (Coons, Musuvathi, McKinley,
 * "Bounded partial-order reduction", OOPSLA 2013, add backtrack points for that.) Here nothing is left out
 * but what *has* been explored. Claim: level k visits exactly the traces that have some linearisation with at
 * most k preemptions, each once.
 *
 *  (1) Equivalent prefixes lead to the same state (promise 2 of machine.h). What can follow one with at most
 *      k preemptions altogether depends on that state, on how many there have been, and on which thread is
 *      gone on with for nothing: the last one, or any if that one cannot go on.
 *  (2) So a thread need not be gone on with after a prefix if that was done after an equivalent one with as
 *      few preemptions, its own step's included: whatever continues this path continued that one. That is
 * what visits.h remembers, for each trace; the subtree of that path was explored with the same rule, hence,
 *      by induction on the length of what is left, in full.
 *  (3) A path never meets a prefix that it is part of itself: traces only grow. What is remembered is thus
 *      finished, or will be before the search of the level ends.
 *  (4) At the end of an execution nothing follows: it is enough to have seen the trace.
 *
 * Not remembered are the states in which there is nothing to decide, because only the last thread may go on:
 * from there the search runs to the next state that is, at the price of some steps, but of no memory. */
#include "algo/algorithm.h"
#include "algo/bounded/visits.h"
#include "base/memory.h"
#include "base/vector.h"
#include "machine/identity.h"
#include "search/frontier.h"

/* A state on the path. */
typedef struct place {
    mz_hash trace;  /* identity of the events so far */
    uint32_t spent; /* preemptions among them */
    mz_threads left;
} place;

typedef struct bounding {
    uint32_t level;
    bool refused; /* some preemption would have been one too many */
    mz_visits visits;
    place *places; /* [depth] */
    size_t place_capacity;
} bounding;

static bounding *bounding_of(const mz_search *s)
{
    return s->algorithm_data;
}

/* The thread that can go on without being preempted, as a set; empty if it cannot go on. */
static mz_threads last_thread(const mz_search *s, size_t depth)
{
    return depth == 0 ? MZ_NO_THREADS
                      : mz_threads_of(s->execution->events[depth - 1].thread) & s->nodes[depth].enabled;
}

static place place_after(const mz_search *s, size_t depth)
{
    const mz_execution *x = s->execution;
    if (depth == 0)
        return (place){.trace = mz_identity_of_nothing(x)};
    place first;
    const place *before = &bounding_of(s)->places[depth - 1];
    if (MZ_UNLIKELY(depth == 1)) { /* which may be in an item's prefix, and not noted */
        first = (place){.trace = mz_identity_of_nothing(x)};
        before = &first;
    }
    mz_threads could_go_on = last_thread(s, depth - 1);
    bool preempted = mz_threads_any(could_go_on) && !mz_threads_has(could_go_on, x->events[depth - 1].thread);
    return (place){.trace = mz_identity_with(before->trace, x, (uint32_t)depth - 1),
                   .spent = before->spent + preempted};
}

/* Is there nothing left to explore from the state that the path has reached? */
static bool visited(mz_search *s)
{
    bounding *b = bounding_of(s);
    size_t depth = s->execution->length;
    b->places = mz_grow(b->places, &b->place_capacity, depth + 1, sizeof *b->places);
    place *here = &b->places[depth];
    *here = place_after(s, depth);
    mz_threads ready = s->nodes[depth].enabled, last = last_thread(s, depth);
    if (!mz_threads_any(ready))
        return mz_visits_end(&b->visits, here->trace);
    mz_threads allowed = mz_threads_any(last) && here->spent == b->level ? last : ready;
    b->refused |= !mz_threads_equal(allowed, ready);
    here->left = mz_threads_equal(last, allowed)
                     ? last
                     : mz_visits_arrive(&b->visits, here->trace, ready, mz_threads_any(last) ? last : ready,
                                        here->spent, b->level);
    return !mz_threads_any(here->left);
}

static void explore_what_is_left(mz_search *s, mz_node *node)
{
    node->backtrack = bounding_of(s)->places[s->execution->length].left;
}

/* First the thread that goes on: the cheaper path is to be the first one at as many states as possible. */
static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    mz_threads left = node->backtrack & ~node->done, last = left & last_thread(s, s->execution->length);
    if (!mz_threads_any(left))
        return false;
    mz_choices_prescribe(&s->choices, NULL, 0);
    *thread = mz_threads_first(mz_threads_any(last) ? last : left);
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
    bool safe_so_far = s->problem_count == 0;
    if (!s->stop)
        mz_search_stop(s, "%s at most %u preemption%s (--preemptions)",
                       safe_so_far ? "no error with" : "only executions with", b->level, plural(b->level));
    else if (s->incomplete && safe_so_far && b->level > 0)
        mz_text_add(&s->reason, "; no error with at most %u preemption%s", b->level - 1,
                    plural(b->level - 1));
}

/* Level after level, until nothing was refused, or enough. Errors that were found stay found. */
static void explore_levels(mz_search *s, bounding *b)
{
    for (;; b->level++) {
        explore_level(s, b);
        bool enough = s->options.bounds_preemptions && b->level >= s->options.preemptions;
        if (s->stop || !b->refused || enough)
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

static void run_part(mz_search *s)
{
    mz_frontier *f = s->frontier;
    bounding b = {0};
    bool is_first = f->memory.length == 0, begins = mz_search_form(s) == MZ_ITEM_ROOT;
    if (!is_first && !read_memory(&b, &f->memory)) {
        mz_frontier_refuse(s, "what was visited cannot be read");
    } else if (begins) {
        b.level += !is_first;
        explore_level(s, &b);
    } else {
        continue_level(s, &b);
    }
    bool enough = s->options.bounds_preemptions && b.level >= s->options.preemptions;
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

static void run(mz_search *s)
{
    if (s->frontier) {
        run_part(s);
        return;
    }
    bounding b = {0};
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

static void set_preemptions(void *target, const char *value, mz_error *error)
{
    mz_search_options *options = target;
    options->bounds_preemptions = true;
    mz_parse_small("preemptions", value, &options->preemptions, error);
}

static const mz_option preemptions_option = {
    .name = "preemptions",
    .argument = "K",
    .help = "only executions with at most K preemptions, first those with 0, then 1, …",
    .audience = MZ_FOR_CHECK,
    .set = set_preemptions,
};

const mz_algorithm mz_algorithm_bounded = {
    .name = "bounded",
    .description = "few preemptions first, level by level (--preemptions=K): every trace once per level",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_ROUNDS,
    .in_levels = true,
    .options = (const mz_option *const[]){&preemptions_option, &mz_option_depth, NULL},
    .chosen_by = "preemptions",
    .one_worker = true,
    .run = run,
};
