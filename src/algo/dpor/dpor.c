/* Dynamic partial order reduction as first published: Flanagan and Godefroid, "Dynamic partial-order
 * reduction for model checking software", POPL 2005, figure 5 (clock vectors, no stack traversal). The
 * baseline of the LazyPOR thesis.
 *
 * In each state, for each thread p and the last event i that its next operation depends on: if i does not
 * happen before p got here, p must also be explored from the state before i; if p is not enabled there,
 * everything that is. The backtrack sets become persistent sets. Without sleep sets (the default, as
 * published) a trace may be visited many times.
 *
 * --sleep adds sleep sets, which takes more than skipping the threads that sleep. A backtrack set becomes
 * persistent by what is found while its members are explored; a member that sleeps is not explored, and what
 * conflicts with it is not found. Smallest program we know, 4 traces of which 3 are found: `x := 1`, `if y ==
 * 0  if x == 0`, `if x == 0`. So where a thread is needed that sleeps, everything enabled is explored: that
 * is persistent.
 *
 * --stateful prunes visited states. What is pruned has been explored, but not after the events that lead here
 * now, and what it does may conflict with those: naive pruning loses backtrack points, and with them states.
 * So each state keeps a summary of what was pending in it and in the states explored beyond it (Yang, Chen,
 * Gopalakrishnan, Kirby, "Efficient stateful dynamic partial order reduction", SPIN 2008), and when it is met
 * again, each access of the summary is looked at as if its thread were about to perform it. That adds
 * whatever exploring the state again would add to the nodes on the path:
 *
 *  - What is explored from a state, and so its summary, does not depend on how it was reached: a backtrack
 *    point below it comes of events below it, and of the order among them.
 *  - Suppose that exploring it again would find, after some w, an operation of p that conflicts with an event
 * i on the path, i being the last such in all and not in p's past. Then i is the last such event on the path,
 *    and not in p's past as it is now. (Looking back from here may add more: what w would have put into p's
 *    past, and events i that are not the last. More is no harm.)
 *
 * The summary is complete when the search has left the state and all that follows. In programs with cycles it
 * may not have: the state that is met again is on the path, or a way leads from it back to the path
 * (search/visited/visited.c finds where). All nodes that a cycle passes through explore everything that is
 * enabled: that is persistent whatever is found later, and on no cycle a thread is deferred for ever. For the
 * nodes before the cycle nothing is missed: what is found beyond the state later is found below the first
 * node of the cycle, before which the path is the same.
 *
 * With sleep sets a state is more than its fingerprint, so --sleep is refused.
 *
 * --dependency=object is the dependency relation of the paper and the thesis: any two operations on one
 * object depend, two reads as well. The default is that of doc/events.md, and then "the last event" is the
 * last write or, for a write, every read since: those reads are not ordered among each other, so that none of
 * them stands for the others. */
#include "algo/algorithm.h"
#include "base/vector.h"
#include "search/frontier.h"
#include "search/sleep.h"
#include "search/visited/visited.h"

/* The event at position i depends on the next operation of `thread` and is not known to it. */
static void add_backtrack_point(mz_search *s, uint32_t i, uint32_t thread)
{
    mz_node *node = &s->nodes[i];
    if (MZ_UNLIKELY(i < s->own_from)) /* where it sleeps, or is not enabled, the owner knows what to do */
        mz_frontier_ask(s, i, mz_threads_of(thread), thread, true);
    else if (mz_threads_has(node->enabled & ~node->sleep, thread))
        node->backtrack |= mz_threads_of(thread);
    else
        node->backtrack |= node->enabled;
}

static void consider(mz_search *s, uint32_t i, uint32_t thread, const mz_operation *next)
{
    const mz_execution *x = s->execution;
    uint32_t own = x->thread_length[thread];
    s->statistics.race_checks++;
    s->execution->dependency_checks++;
    uint32_t previous = x->positions[thread][own];
    if (x->events[i].thread != thread && !mz_is_past(x, i, previous, next->causes, next->cause_count))
        add_backtrack_point(s, i, thread);
}

/* The thread is about to perform an operation with this access, among others. */
static void look_back_for(mz_search *s, uint32_t thread, mz_access access, const mz_operation *next)
{
    mz_execution *x = s->execution;
    access.kind |= s->options.object_dependency ? MZ_WRITE : 0;
    size_t count = mz_last_conflicts(x, thread, access);
    for (size_t i = 0; i < count; i++)
        consider(s, x->candidates[i], thread, next);
}

/* Lines 3-8 of figure 5, for one thread. */
static void look_back(mz_search *s, uint32_t thread)
{
    mz_operation next;
    s->machine->class->pending(s->machine, thread, &next);
    if (!mz_causes_have_happened(s->execution, &next))
        return;
    for (uint32_t a = 0; a < next.access_count; a++)
        look_back_for(s, thread, next.accesses[a], &next);
}

static void look_back_all(mz_search *s)
{
    MZ_FOR_EACH_THREAD(t, s->machine->status->ready | s->machine->status->blocked)
    {
        look_back(s, t);
    }
}

/* ---- --stateful -------------------------------------------------------------------------------------- */

static void add_pending(mz_search *s, mz_visited *visited)
{
    MZ_FOR_EACH_THREAD(t, s->machine->status->ready | s->machine->status->blocked)
    {
        mz_operation pending;
        s->machine->class->pending(s->machine, t, &pending);
        mz_visited_add(visited, t, &pending);
    }
}

/* An access beyond a visited state. What its operation would come after is not known: nothing. */
static void look_back_from_beyond(void *context, uint32_t thread, mz_access access)
{
    look_back_for(context, thread, access, &(mz_operation){0});
}

static void explore_all_from(mz_search *s, size_t depth)
{
    for (; depth < s->execution->length; depth++)
        s->nodes[depth].backtrack |= s->nodes[depth].enabled;
}

static bool is_visited(mz_search *s)
{
    mz_visited *visited = s->algorithm_data;
    size_t depth = 0;
    switch (mz_visited_arrive_now(visited, s, &depth)) {
    case MZ_ARRIVAL_NEW:
        add_pending(s, visited);
        return false;
    case MZ_ARRIVAL_FINISHED:
        mz_visited_each(visited, look_back_from_beyond, s);
        return true;
    case MZ_ARRIVAL_CYCLE:
        explore_all_from(s, depth);
        return true;
    }
    return true;
}

/* ---- the search -------------------------------------------------------------------------------------- */

static void enter(mz_search *s, mz_node *node)
{
    look_back_all(s);
    node->backtrack = mz_threads_of(mz_threads_first(node->enabled & ~node->sleep));
}

/* States without enabled threads wait, too. */
static void leaf(mz_search *s)
{
    look_back_all(s);
    if (s->options.stateful)
        mz_visited_end_here(s->algorithm_data);
}

static void run(mz_search *search)
{
    mz_visited visited = {0};
    search->algorithm_data = &visited;
    mz_explore_depth_first(search, &(mz_depth_first){
                                       .track_order = true,
                                       .repeats = !search->options.sleep_sets,
                                       .sleep = search->options.sleep_sets ? mz_sleep_after : NULL,
                                       .object_dependency = search->options.object_dependency,
                                       .visited = is_visited,
                                       .grows = true,
                                       .unsplittable = search->options.stateful,
                                       .enter = enter,
                                       .leaf = leaf,
                                   });
    mz_visited_close(&visited, search);
    mz_visited_release(&visited);
}

static const mz_option sleep_option = {
    .name = "sleep",
    .help = "with sleep sets",
    .audience = MZ_FOR_CHECK | MZ_FOR_ESTIMATE,
    .type = MZ_OPTION_SWITCH,
    .at = offsetof(mz_search_options, sleep_sets),
};

static const mz_option dependency_option = {
    .name = "dependency",
    .argument = "access|object",
    .help = "what depends: conflicting accesses, or any two on one object",
    .audience = MZ_FOR_CHECK | MZ_FOR_ESTIMATE,
    .type = MZ_OPTION_EITHER,
    .at = offsetof(mz_search_options, object_dependency),
};

const mz_algorithm mz_algorithm_dpor = {
    .name = "dpor",
    .description =
        "Flanagan-Godefroid: persistent sets from clock vectors (--sleep, --stateful, --dependency=object)",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_LOCKS | MZ_REFINES_ROUNDS | MZ_REFINES_SYMMETRY,
    .repeats = true,
    .closes_loops = true,
    .options = (const mz_option *const[]){&mz_option_stateful, &sleep_option, &dependency_option,
                                          &mz_option_depth, NULL},
    .chosen_by = "stateful",
    .run = run,
};
