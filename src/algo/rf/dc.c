/* Data-centric partial order reduction (Chalupa, Chatterjee, Pavlogiannis, Sinha, Vaidya, POPL 2018): one
 * execution per observation where the threads that share locations form trees (two threads, stars,
 * pipelines); where they do not, an equivalence between that and Mazurkiewicz's.
 *
 * The paper goes from a partial observation function to those with one more read fixed, *mutated* to another
 * write that a witness execution has, with the causal past of both, and keeps per read the writes that have
 * been tried. On trees each function is realised in polynomial time, by 2-SAT; to get rid of cycles, it
 * orders all accesses to the variables of enough edges as a trace does. Fixing many reads at once (*bursts*)
 * saves functions in between, each of which costs an execution.
 *
 * The same is done here with the machinery of algo/rf/rf.c, which needs no record of what has been tried: a
 * mutation is a child of the execution in which it is first possible, and of no other. Nothing is between
 * the two: from one execution all of its mutations are found, each realised in full, and each is a class of
 * its own, so that there is nothing left that bursts could save.
 *
 * Which threads share which locations is learned as the exploration goes on (mz_location_nature.users). Loose
 * locations are chosen such that they connect the threads that access them as a forest: in the order of
 * their numbers, a location of two threads that does not close a cycle with those before. The others are
 * strict. Where threads form trees altogether, saturation decides what can be realised, and 2-SAT is not
 * needed; why is proved in algo/rf/realise_threads.c. */
#include "algo/algorithm.h"
#include "algo/rf/observations.h"

static void run(mz_search *search)
{
    mz_explore_observations(search, true, mz_algorithm_optimal.run);
}

const mz_algorithm mz_algorithm_dc = {
    .name = "dc",
    .description = "data-centric: as rf, but writes of locations that connect threads in a cycle are ordered",
    .equivalence = MZ_OBSERVATION,
    .reads_the_last = true,
    .refinements = MZ_REFINES_ROUNDS,
    .optimal = true,
    .only_on_trees = true,
    .run = run,
};
