/* Every interleaving: the baseline. With --stateful, every reachable state once. */
#include "algo/algorithm.h"

static void explore_everything(mz_search *search, mz_node *node)
{
    (void)search;
    node->backtrack = node->enabled;
}

static void run(mz_search *search)
{
    mz_explore_depth_first(
        search, &(mz_depth_first){.enter = explore_everything, .unsplittable = search->options.stateful});
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
