/* Source sets with sleep sets (SDPOR): Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order
 * reduction", POPL 2014, algorithm 1.
 *
 * From each state one awake thread is explored; whatever else is needed is added by reversing the races
 * of the executions that follow. The sleep sets keep the traces distinct: a trace is explored once, though
 * executions may turn out to be redundant half-way and end blocked.
 *
 * Where this differs from the paper, because a dlang statement, a compare-and-swap or an atomic block
 * may touch locations that depend on what it reads (so that an independent step can change what a later
 * one depends on, which the paper excludes) and because locks wait:
 *
 *  - Races are looked at when an execution has ended, with the footprints that were executed and all of
 *    notdep(e), not step by step. A smallest program that needs it: x of two cells, processes
 *    `x[x[1]] := 0  x[1] := 0`, `if x[1] == 0  x[1] := 1`, `if x[0] == 0`: 7 traces, step by step 5.
 *  - An operation that waits races with every earlier write of what it waits for, not only the last:
 *    unlock → lock hides the race of the two locks.
 *
 * Both are argued in search/races.c. Where an operation waits for something that no single fixed location
 * decides, no argument is known to us and every awake thread is explored from every state: sleep sets
 * alone still visit each trace exactly once. */
#include "algo/algorithm.h"
#include "search/races.h"
#include "search/safe_prefix.h"
#include "search/sleep.h"

static void explore_one(mz_search *search, mz_node *node)
{
    mz_threads awake = node->enabled & ~node->sleep;
    node->backtrack =
        search->machine->complex_blocking ? awake : mz_threads_of(mz_first_to_explore(search, awake));
}

static void reverse_races(mz_search *search)
{
    if (!search->machine->complex_blocking)
        mz_reverse_races(search, mz_require_initial);
}

static void run(mz_search *search)
{
    mz_explore_depth_first(search, &(mz_depth_first){
                                       .track_order = true,
                                       .stretches = true,
                                       .grows = true,
                                       .unsplittable = search->options.safe_prefix,
                                       .sleep = mz_sleep_after,
                                       .enter = explore_one,
                                       .leaf = reverse_races,
                                   });
}

const mz_algorithm mz_algorithm_source = {
    .name = "source",
    .description = "source sets and sleep sets: one execution per trace, some cut short",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_LOCKS | MZ_REFINES_ROUNDS | MZ_REFINES_SYMMETRY,
    .closes_loops = true,
    .makes_plans = true,
    .takes_first_trace = true,
    .options = (const mz_option *const[]){&mz_option_depth, NULL},
    .chosen_by = "depth",
    .run = run,
};
