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
 * --dependency=object is the dependency relation of the paper and the thesis: any two operations on one
 * object depend, two reads as well. The default is that of doc/events.md, and then "the last event" is the
 * last write or, for a write, every read since: those reads are not ordered among each other, so that none of
 * them stands for the others. */
#include "algo/algorithm.h"
#include "explore/sleep.h"

/* The event at position i depends on the next operation of `thread` and is not known to it. */
static void add_backtrack_point(mz_search *s, uint32_t i, uint32_t thread)
{
    mz_node *node = &s->nodes[i];
    if (mz_threads_has(node->enabled & ~node->sleep, thread))
        node->backtrack |= mz_threads_of(thread);
    else
        node->backtrack |= node->enabled;
}

static void consider(mz_search *s, uint32_t record, uint32_t thread, const mz_operation *next)
{
    const mz_execution *x = s->execution;
    if (record == MZ_NONE)
        return;
    uint32_t i = x->records[record].event;
    uint32_t own = x->thread_length[thread];
    s->statistics.race_checks++;
    s->execution->dependency_checks++;
    uint32_t previous = own == 0 ? MZ_NONE : x->positions[thread][own - 1];
    if (x->events[i].thread != thread && !mz_is_past(x, i, previous, next->causes, next->cause_count))
        add_backtrack_point(s, i, thread);
}

/* Lines 3-8 of figure 5, for one thread. */
static void look_back(mz_search *s, uint32_t thread)
{
    const mz_execution *x = s->execution;
    mz_operation next;
    s->machine->class->pending(s->machine, thread, &next);
    for (uint32_t a = 0; a < next.access_count; a++) {
        mz_location_state location = mz_location_now(x, next.accesses[a].location);
        bool writes = (next.accesses[a].kind & MZ_WRITE) || s->options.object_dependency;
        for (uint32_t r = location.last_read; writes && r != MZ_NONE; r = x->records[r].previous_read)
            consider(s, r, thread, &next);
        consider(s, location.last_write, thread, &next);
    }
}

static void enter(mz_search *s, mz_node *node)
{
    MZ_FOR_EACH_THREAD(t, s->machine->status->ready | s->machine->status->blocked)
    {
        look_back(s, t);
    }
    node->backtrack = mz_threads_of(mz_threads_first(node->enabled & ~node->sleep));
}

/* A state without enabled threads has pending operations, too. */
static void leaf(mz_search *s)
{
    MZ_FOR_EACH_THREAD(t, s->machine->status->ready | s->machine->status->blocked)
    {
        look_back(s, t);
    }
}

static void run(mz_search *search)
{
    mz_explore_depth_first(search, &(mz_depth_first){
                                       .track_order = true,
                                       .repeats = !search->options.sleep_sets,
                                       .sleep = search->options.sleep_sets ? mz_sleep_after : NULL,
                                       .object_dependency = search->options.object_dependency,
                                       .enter = enter,
                                       .leaf = leaf,
                                   });
}

const mz_algorithm mz_algorithm_dpor = {
    .name = "dpor",
    .description = "Flanagan-Godefroid: persistent sets from clock vectors (--sleep, --dependency=object)",
    .equivalence = MZ_MAZURKIEWICZ,
    .repeats = true,
    .run = run,
};
