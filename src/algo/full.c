/* Every interleaving: the baseline. With --stateful, every reachable state once. */
#include "algo/algorithm.h"
#include "search/visited/visited.h"

static void explore_everything(mz_search *search, mz_node *node)
{
    (void)search;
    node->backtrack = node->enabled;
}

static bool is_visited(mz_search *search)
{
    size_t depth;
    return mz_visited_arrive_now(search->algorithm_data, search, &depth) != MZ_ARRIVAL_NEW;
}

static void end_here(mz_search *search)
{
    if (search->options.stateful)
        mz_visited_end_here(search->algorithm_data);
}

static void run(mz_search *search)
{
    mz_visited visited = {0};
    search->algorithm_data = &visited;
    mz_explore_depth_first(search, &(mz_depth_first){.enter = explore_everything,
                                                     .leaf = end_here,
                                                     .visited = is_visited,
                                                     .unsplittable = search->options.stateful});
    mz_visited_close(&visited, search);
    mz_visited_release(&visited);
}

const mz_algorithm mz_algorithm_full = {
    .name = "full",
    .description = "every interleaving (with --stateful: every state)",
    .equivalence = MZ_INTERLEAVING,
    .refinements = MZ_REFINES_ROUNDS,
    .options = (const mz_option *const[]){&mz_option_stateful, &mz_option_depth, NULL},
    .closes_loops = true,
    .run = run,
};
