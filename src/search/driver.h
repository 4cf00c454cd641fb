/* What the depth-first driver does at every step: nodes and stretches of steps. For depth_first.c alone; all
 * of it becomes a part of the loop there. */
#ifndef MZ_SEARCH_DRIVER_H
#define MZ_SEARCH_DRIVER_H

#include "base/memory.h"
#include "base/vector.h"
#include "search/search.h"

/* Few searches ask for more than hooks at a program that takes its steps back. The usual ones are compiled
 * apart: the mz__driver_mode is a constant wherever it is passed on, and what is not asked for costs nothing
 * there.
 */
typedef struct mz__driver_mode {
    bool usual;
    bool directed; /* the algorithm says where to go: `next` and `return_to` */
} mz__driver_mode;

static bool is_usual(const mz_search *s, const mz_depth_first *algorithm)
{
    return !s->machine->class->save && !s->options.stateful && !algorithm->remembers &&
           !algorithm->object_dependency && s->options.depth == 0 && s->options.limits.traces == 0 &&
           !s->options.safe_prefix && (!algorithm->next || algorithm->return_to) && !algorithm->try_choices;
}

#define MZ_PART static inline __attribute__((always_inline))

static const mz_choices no_choices;

static __attribute__((noinline)) void make_room_for_node(mz_search *s)
{
    s->nodes = mz_grow(s->nodes, &s->node_capacity, s->node_capacity + 1, sizeof *s->nodes);
}

MZ_PART void begin_node(const mz_search *s, mz_node *node, mz_threads enabled, mz__driver_mode how)
{
    node->enabled = enabled;
    node->sleep = MZ_NO_THREADS;
    if (how.usual && how.directed) /* nothing else is noted about it */
        return;
    node->backtrack = node->done = MZ_NO_THREADS;
    node->waiting = 0;
    node->alone = false;
    node->entered = node->began = s->statistics.executions;
    node->previous = 0;
}

/* The machine has just reached this state: the node at depth execution->length. */
MZ_PART mz_node *arrive(mz_search *s, size_t depth, mz__driver_mode how)
{
    mz_machine *machine = s->machine;
    size_t bytes = machine->snapshot_bytes;
    s->machine_depth = s->machine_prefix = depth;
    if (MZ_UNLIKELY(depth == s->node_capacity))
        make_room_for_node(s);
    mz_node *node = &s->nodes[depth];
    begin_node(s, node, machine->status->ready, how);
    if (how.usual || !machine->class->save || !mz_search_has_room(s, (depth + 1) * bytes))
        return node;
    s->snapshots = mz_grow(s->snapshots, &s->snapshot_capacity, (depth + 1) * bytes, 1);
    machine->class->save(machine, s->snapshots + depth * bytes);
    return node;
}

/* From this depth on nobody is asked where to go. What waits for several locations may want another default.
 */
static inline bool goes_by_default(const mz_search *s, size_t depth)
{
    return depth >= s->default_from && !s->machine->complex_blocking;
}

static inline bool has_room_for_stretch(const mz_search *s, size_t depth)
{
    uint64_t limit = s->options.limits.depth;
    return limit == 0 || depth + 1 + MZ_MOST_FURTHER <= limit;
}

/* How many steps after the thread's, at this node, are its own, too, if nothing else happens? */
static inline uint32_t count_going_on(const mz_search *s, uint32_t thread, size_t depth)
{
    size_t next = depth + 1;
    while (next < s->script_end && s->script[next] == thread)
        next++;
    bool by_default = goes_by_default(s, next) && thread == mz_threads_first(s->nodes[depth].enabled);
    size_t count = next - depth - 1;
    return by_default || count > MZ_MOST_FURTHER ? MZ_MOST_FURTHER : (uint32_t)count;
}

/* How far may the machine go on with the thread, at this node? Before steps of threads other than the default
 * one hardly anybody will want to go on otherwise: they are on a detour. */
MZ_PART void allow_further(const mz_search *s, uint32_t thread, size_t depth, mz__driver_mode how)
{
    mz_machine *machine = s->machine;
    bool is_default = thread == mz_threads_first(s->nodes[depth].enabled);
    machine->goes_on = how.directed ? count_going_on(s, thread, depth) : 0;
    machine->together = is_default ? 0 : machine->goes_on;
    machine->most_further = how.directed ? machine->goes_on : MZ_MOST_FURTHER;
}

/* After the thread's operation, the last event, its next ones were performed as well, with the same threads
 * ready. If nobody else is, those who slept were ready and would still be, had they not been woken: nobody
 * sleeps. */
MZ_PART void add_further(mz_search *s, uint32_t thread, mz__driver_mode how)
{
    const mz_machine *machine = s->machine;
    uint32_t count = machine->further_count;
    size_t depth = s->execution->length;
    while (MZ_UNLIKELY(depth + count > s->node_capacity))
        make_room_for_node(s);
    mz_threads enabled = s->nodes[depth - 1].enabled;
    for (uint32_t i = 0; i < count; i++) {
        mz_node *node = &s->nodes[depth + i];
        bool last = i + 1 == count;
        begin_node(s, node, enabled, how);
        if (!how.directed) {
            node->backtrack = enabled;
            node->alone = !last || s->choices.count == 0;
        }
        mz_execution_push(s->execution, thread, &machine->further[i].operation,
                          last ? &s->choices : &no_choices);
    }
    mz_search_count_events(s, count);
}

/* Those that are to be explored from the node, and are not yet. */
static inline mz_threads left_of(const mz_node *node)
{
    return node->backtrack & ~node->sleep & ~node->done;
}

/* A thread, by now done, has been explored from the node, with all that follows. */
static inline void end_branch(mz_search *s, mz_node *node)
{
    uint64_t executions = s->statistics.executions, size = executions - node->began;
    if (node->began > node->entered)
        mz_share_compare_branch(s, node, size);
    node->previous = size;
    node->began = executions;
}

#endif
