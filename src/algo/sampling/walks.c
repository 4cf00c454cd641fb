#include "algo/sampling/walks.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/hash.h"
#include "machine/identity.h"
#include "search/frontier.h"

enum { RUNS_BY_DEFAULT = 1000 };
/* More traces are not kept: 32 bytes each. Those that are met again later count as new then. */
enum { MOST_TRACES_KEPT = 1 << 22 };

uint64_t mz__draw(mz__walks *w, uint64_t below)
{
    w->random += UINT64_C(0x9e3779b97f4a7c15);
    return (mz_mix64(w->random) >> 16) % below; /* of 48 bits: what threads differ by cannot be measured */
}

double mz__draw_share(mz__walks *w)
{
    return (double)mz__draw(w, UINT64_C(1) << 48) * 0x1p-48;
}

uint32_t mz__any_of(mz__walks *w, mz_threads threads)
{
    for (uint64_t skip = mz__draw(w, mz_threads_count(threads)); skip > 0; skip--)
        threads = mz_threads_rest(threads);
    return mz_threads_first(threads);
}

/* The number of the execution that is to be made next. */
static uint64_t number_of_next(const mz__walks *w)
{
    return w->first + w->search->statistics.executions;
}

/* Of an independent strategy: what is drawn before the first operation, or from then on. */
enum { DRAWN_BEFORE, DRAWN_IN };
static void seed_execution(mz__walks *w, uint64_t what)
{
    mz_search *s = w->search;
    if (!w->strategy->independent)
        return;
    w->random = mz_mix64(mz_mix64(s->options.seed) + mz_mix64(2 * number_of_next(w) + what));
    s->choices.random = ~w->random | 1;
}

/* ---- hooks ----------------------------------------------------------------------------------------------
 */

/* The first node after a reset. What is chosen before it is drawn there and nowhere else, so that one
 * execution is all that may follow; without such choices all may, and going back costs less. */
static void enter(mz_search *s, mz_node *node)
{
    mz__walks *w = s->algorithm_data;
    (void)node;
    w->here = s->execution->initial_choices > 0 ? s->statistics.executions + 1 : UINT64_MAX;
}

static void begin(mz__walks *w)
{
    mz_search *s = w->search;
    w->known = s->statistics.traces;
    if (s->visited.count >= MOST_TRACES_KEPT)
        mz_hash_set_clear(&s->visited);
    seed_execution(w, DRAWN_IN);
    if (w->graph)
        mz__growing_begin(w->graph);
    if (w->strategy->begin)
        w->strategy->begin(w, w->data);
}

/* Assumptions prune one execution after the other: there is nothing to sample, and perhaps numbers are to
 * come from a wider range (session/widen.h). */
static bool is_in_vain(const mz_search *s)
{
    enum { MANY = 1000 };
    return s->statistics.executions >= MANY && s->statistics.pruned == s->statistics.executions;
}

/* Others search with other seeds. One that has found an error says after how many executions: the others go
 * on until they have made as many. So it does not depend on the clock whose error is the first. */
static bool has_enough(const mz__walks *w)
{
    const mz_search *s = w->search;
    return s->statistics.executions >= w->here || s->statistics.executions >= w->wanted || is_in_vain(s) ||
           (s->options.limits.executions && s->statistics.executions >= *s->options.limits.executions);
}

static void tell_others(mz_search *s)
{
    _Atomic uint64_t *most = s->options.limits.executions;
    if (!most || s->problem_count == 0)
        return;
    uint64_t known = *most;
    while (s->statistics.executions < known &&
           !atomic_compare_exchange_weak(most, &known, s->statistics.executions))
        continue;
}

static uint64_t draw_for_graph(void *walks, uint64_t below)
{
    return mz__draw(walks, below);
}

/* An execution that has come to its end may have threads that can go on (--depth). */
static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    mz__walks *w = s->algorithm_data;
    if (s->at_leaf || has_enough(w))
        return false;
    mz_search_return_to(s, s->execution->length);
    if (s->stop)
        return false;
    if (s->execution->length == 0 && !w->goes_on)
        begin(w);
    w->goes_on = false;
    mz_threads worth = node->enabled;
    if (w->graph) {
        w->takes_back = mz__growing_take_back(w->graph, s->machine->status);
        if (w->takes_back)
            return false;
        worth = mz__growing_worth(w->graph, worth);
    }
    mz_choices_prescribe(&s->choices, NULL, 0);
    *thread = w->strategy->choose(w, w->data, worth);
    return !w->graph || mz__growing_add(w->graph, *thread, draw_for_graph, w);
}

/* Which strategy has found the first error, and when. */
static void tell_how(const mz__walks *w)
{
    mz_search *s = w->search;
    if (s->problem_count == 0 || s->found_by.length > 0 || s->statistics.events == 0)
        return; /* or there was nothing to choose */
    if (w->strategy->tell)
        w->strategy->tell(w->data, &s->found_by);
    else
        mz_text_add(&s->found_by, "%s", w->strategy->name);
    mz_text_add(&s->found_by, ", in execution %" PRIu64 " of --seed=%" PRIu64, number_of_next(w),
                s->options.seed);
}

/* Under weak memory a round that ends in vain is taken back. Where threads wait for what nobody does any
 * more, each execution is redundant sooner or later. Interleavings can tell who waits for ever: unless graphs
 * were asked for, they are drawn instead. */
static void leave_barren_graphs(mz_search *s)
{
    enum { ENOUGH = 200 };
    const mz_statistics *found = &s->statistics;
    mz_machine *m = s->machine;
    if (!m->weak || !m->is_told_of_orders || found->traces > 0 || found->blocked < ENOUGH || s->stop)
        return;
    m->beyond_weak = true;
    snprintf(m->beyond_what, sizeof m->beyond_what, "waiting of which no random execution comes to its end");
    m->begin_again = s->begin_again = s->stop = true;
}

static void leaf(mz_search *s)
{
    mz__walks *w = s->algorithm_data;
    w->longest = s->execution->length > w->longest ? s->execution->length : w->longest;
    if (w->strategy->end)
        w->strategy->end(w, w->data, s->statistics.traces > w->known);
    tell_how(w);
    leave_barren_graphs(s);
}

static mz_hash identity(mz_search *s)
{
    const mz__walks *w = s->algorithm_data;
    return w->graph ? mz__growing_identity(w->graph) : mz_identity(s->execution);
}

/* To the beginning, or by one step. */
static size_t return_to(mz_search *s)
{
    mz__walks *w = s->algorithm_data;
    size_t depth = w->takes_back ? s->execution->length - 1 : 0;
    w->goes_on = w->takes_back;
    w->takes_back = false;
    return depth;
}

/* ---- in parts ------------------------------------------------------------------------------------------
 */

static void put(mz_search *s, uint64_t first, uint64_t count)
{
    mz_work_item item = {.form = MZ_ITEM_RUNS, .whole = true};
    mz_bytes_add_number(&item.payload, first);
    mz_bytes_add_number(&item.payload, count);
    mz_frontier_put(s->frontier, &item);
}

/* All that are left, or the later half of them. */
static void hand_out(mz_search *s, bool all)
{
    mz__walks *w = s->algorithm_data;
    uint64_t done = s->statistics.executions, left = done < w->wanted ? w->wanted - done : 0;
    uint64_t given = all ? left : left / 2;
    if (given == 0)
        return;
    w->wanted -= given;
    put(s, w->first + w->wanted, given);
}

/* False if the item is none. */
static bool read_range(mz__walks *w, const mz_work_item *item)
{
    mz_byte_reader r = {.data = item->payload.data, .length = item->payload.length};
    w->first = mz_read_number(&r);
    w->wanted = mz_read_number_to(&r, UINT64_MAX - w->first);
    return !r.failed;
}

/* Until the program has to be reset, and its first choices drawn again. */
static void walk_on(mz_search *s)
{
    static const mz_depth_first hooks = {
        .track_order = true,
        .repeats = true,
        .identity = identity,
        .enter = enter,
        .next = next,
        .leaf = leaf,
        .return_to = return_to,
        .form = MZ_ITEM_RUNS,
        .counts = true,
        .hand_out = hand_out,
    };
    mz_depth_first in_one_piece = hooks;
    const mz__walks *w = s->algorithm_data;
    in_one_piece.unsplittable = true;
    uint64_t checks_before = s->statistics.dependency_checks;
    mz_execution_destroy(s->execution);
    mz_explore_depth_first(s, w->strategy->independent ? &hooks : &in_one_piece);
    s->statistics.dependency_checks += checks_before; /* the driver knows of its own */
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

void mz__walk(mz_search *s, const mz__strategy *strategy)
{
    uint64_t runs = s->options.runs, seed = mz_mix64(s->options.seed);
    mz__walks w = {
        .search = s, .strategy = strategy, .random = seed, .wanted = runs > 0 ? runs : RUNS_BY_DEFAULT};
    s->algorithm_data = &w;
    if (mz_search_form(s) == MZ_ITEM_RUNS && !read_range(&w, s->item)) {
        mz_frontier_refuse(s, "it has no numbers of executions");
        return;
    }
    s->choices.random = ~seed | 1;
    s->options.one_valuation = true; /* not one search for every value of the first choices */
    s->next_scouting = 0;            /* which would do the same, with what is not our seed */
    w.graph = s->machine->weak ? mz__growing_create(s) : NULL;
    w.data = strategy->create ? strategy->create(&w) : NULL;
    for (w.here = UINT64_MAX; !s->stop && !has_enough(&w); w.here = UINT64_MAX) {
        seed_execution(&w, DRAWN_BEFORE);
        walk_on(s);
        tell_how(&w);
        tell_others(s);
    }
    if (strategy->release)
        strategy->release(w.data);
    mz__growing_release(w.graph);
    s->algorithm_data = NULL;
}

/* ---- options --------------------------------------------------------------------------------------------
 */

/* Any number, 0 as well. */
static void set_seed(void *target, const char *value, mz_error *error)
{
    mz_search_options *options = target;
    uint32_t seed = 0;
    if (mz_parse_small("seed", value, &seed, error))
        options->seed = seed;
}

const mz_option mz__option_runs = {
    .name = "runs",
    .argument = "K",
    .help = "so many executions at random (default: 1000; fuzz: as the time allows)",
    .audience = MZ_FOR_CHECK | MZ_FOR_FUZZ,
    .type = MZ_OPTION_COUNT,
    .at = offsetof(mz_search_options, runs),
};

const mz_option mz__option_seed = {
    .name = "seed",
    .argument = "N",
    .help = "draw others: 1, 2, … (default: 0)",
    .audience = MZ_FOR_CHECK | MZ_FOR_FUZZ,
    .set = set_seed,
};

const mz_option mz__option_bug_depth = {
    .name = "depth",
    .argument = "D",
    .help = "of pct: so many orderings are enough for the error (default: 3; mix: 1 to 6)",
    .audience = MZ_FOR_FUZZ,
    .type = MZ_OPTION_COUNT,
    .at = offsetof(mz_search_options, bug_depth),
};

const mz_option *const mz__sampling_options[] = {&mz__option_runs, &mz__option_seed, &mz_option_depth, NULL};
const mz_option *const mz__sampling_options_of_pct[] = {&mz__option_runs, &mz__option_seed,
                                                        &mz__option_bug_depth, &mz_option_depth, NULL};
