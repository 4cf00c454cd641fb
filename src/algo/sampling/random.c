/* Random walks: executions of the whole program, at each step of which every thread that can go on is as
 * likely as the others. It is for programs that are too large for anything else, and a yardstick: what does a
 * search find that chance does not? */
#include "algo/sampling/walks.h"

static uint32_t choose(mz__walks *w, void *data, mz_threads ready)
{
    (void)data;
    return mz__any_of(w, ready);
}

const mz__strategy mz__strategy_random = {.name = "random", .independent = true, .choose = choose};

static void run(mz_search *s)
{
    mz__walk(s, &mz__strategy_random);
}

const mz_algorithm mz_algorithm_random = {
    .name = "random",
    .description = "executions at random, every thread equally likely at each step (--runs=K, --seed=N)",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_ROUNDS,
    .repeats = true,
    .samples = "random",
    .grows_graphs = true,
    .shows_parts = true,
    .options = mz__sampling_options,
    .chosen_by = "runs",
    .run = run,
};
