/* Reads-from: one execution per observation. Two executions are equivalent if they have the same events and
 * in both each read reads from the same write; writes that nobody tells apart need not be in the same order.
 * That is the observation equivalence of data-centric partial order reduction (Chalupa, Chatterjee,
 * Pavlogiannis, Sinha, Vaidya, POPL 2018), here on every topology. Exploring it optimally under sequential
 * consistency is due to Abdulla, Atig, Jonsson, Lång, Ngo, Sagonas (OOPSLA 2019), who keep sets of schedules;
 * doing so without memory, by visiting each execution graph from one other only, to TruSt (Kokologiannakis,
 * Marmanis, Gladstein, Vafeiadis, POPL 2022), for graphs that order the writes. This combines the two as the
 * reverse search of algo/optimal/optimal.c does for traces, whose words are used here.
 *
 * What the equivalence is in detail: algo/rf/observation.h. In short, conflicts on *strict* locations (those
 * that operations wait for) are ordered, on *loose* ones reads come after the writes that they read from.
 * Before, past: of this order, <. A set of events is *closed* if it holds the past of each of its events. A
 * closed set of events of an execution can be executed alone, in any sequence in which the loose reads read
 * what they are to (algo/rf/realise.h). Which threads can go on then does not depend on the sequence.
 *
 * The normal form of T, an observation of complete executions. From a closed set G on, the *default* thread p
 * is the first one that is ready after G; let p* be its next event in T. The *detour* V is the part of the
 * past of p* that is not in G. T goes on with the *stage* V, p*; the *pivot* is p*. If p is made to wait by
 * an event y of T that is not after p*, take the first such y (they are ordered): the stage is the past of y,
 * and y, without a pivot. Events of detours, and events with choices other than the lowest, are *bends*. So
 * are pivots that do not read what they would by *default*: let candidates be the writes of a location in
 * some set, those of higher threads first, later ones of a thread first, the initial value last; by default
 * the first candidates that can be realised are read. The root is the observation without bends.
 *
 * The parent of T. If its last bend is a choice, it is T with the choice before it. If it is a pivot p* after
 * G with an empty detour, it is what begins with G and the default event of p, without further bends.
 * Otherwise, with V, let x be the event of the highest thread among the maximal ones of V; H = G ∪ V \ {x}.
 * Let e be what p does by default after H, and x' what the thread of x does by default after H, e (there is
 * none if it has to wait there). The parent E is what begins with H, e, x' and goes on by default: where the
 * normal form of E comes, after K, to a pivot that is not one of these, it is the default in K ∪ H ∪ {e, x'}.
 * E and T agree up to G, and the stage that follows is shorter in E, or the same but default: the way from
 * parent to parent ends at the root.
 *
 * The children of E. Forward: wherever a thread has gone on by default, everything else that its loose
 * reads can read from in the events so far is a child, too (mz_mutate_reading). Backward: when E has ended,
 * for each pivot e and each x' that conflicts with it, or waits, the conditions under which E is the parent
 * of what results are tested (mz_mutate_pairs). On strict locations H is what comes before x' other than
 * through e, and before e. On loose ones it holds what x and p* are to read from: every choice of writes in E
 * is tried. In most cases there is one.
 *
 * Nothing is remembered but the children that are still to be visited, each as a sequence of threads: of each
 * execution on the way from the root, polynomially many.
 *
 * Which errors are found. What a thread does is determined by what it has read, so that assertions, memory
 * errors, failing operations show in the observation; so do deadlocks, as operations wait for strict
 * locations only. A data race is a matter of what happens before the two accesses in the program's own order,
 * which follows reads-from (a release is what an acquire reads from), locks and the like (strict), creating
 * and joining: equivalent executions have the same races. Plain accesses are no events, and without a race
 * they read the same in all equivalent executions, for the same reason (program/order/happens_before.c). What
 * depends on the order of writes in other ways reads, too, as it knows that it is explored like this
 * (machine->by_observation): main, when it looks at what is left after its last join; a relaxed store, which
 * continues a release sequence or not; a write in an atomic section, which acquires. What else depends on it
 * makes its location strict: free, where races are no errors, after which nothing may be written (MZ_LAST);
 * and what may be a pointer, if leaks are looked for, which depend on what is in memory at the end.
 *
 * Operations that write or not, depending on what they read (compare-and-swap, trylock). On a strict location
 * they need no care but one: let e and x' be in conflict in E, as pivot and x. In the other order they are,
 * too, whatever they do then: if x' only reads, e writes; then x, before it, writes or p* is e again. So x is
 * before p*, and all that comes before e or x' comes before one of the two. Which of them it comes before
 * matters where the last event of a detour is told (mutations_parent.c). On a loose location, each reading
 * from another write is a mutation of its own, and a place is looked for where it may write; where there is
 * none, one where it must not, and the machine has to confirm that it does not.
 *
 * Operations that touch other locations, depending on what they read, or wait for several. What such an x or
 * pivot does in T, and so what H has to hold, cannot be told from E by looking at conflicts; the definitions
 * are the same, and algo/rf/mutations_moving.c tries all that it can be. What is the default is defined by
 * the first candidates still: the first access is always the same, what it reads decides which is the next
 * one, and so on (algo/rf/mutations_ways.c).
 *
 * If an operation that waits for more than one fixed location is a pivot and is made to wait, there is no
 * first event that does, as in algo/optimal/optimal.c; threads with other operations go first, and if it
 * happens all the same, this is `optimal`: exact, for traces. */
#include "algo/algorithm.h"
#include "algo/rf/observations.h"

static void run(mz_search *search)
{
    mz_explore_observations(search, false, mz_algorithm_optimal.run);
}

const mz_algorithm mz_algorithm_rf = {
    .name = "rf",
    .description = "reads-from: one execution per observation, whatever the order of writes",
    .equivalence = MZ_OBSERVATION,
    .reads_the_last = true,
    .refinements = MZ_REFINES_ROUNDS,
    .optimal = true,
    .run = run,
};
