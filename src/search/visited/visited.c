/* A state's summary is what is pending in it, and the summaries of the states that were found to follow.
 * Depth first, these are complete when the search leaves the state, unless a cycle leads back to a state that
 * it has not left yet. Then the state stays *open*.
 *
 * States from each of which a way leads to all others are a component. Those of the open states are found as
 * the search goes (Gabow, "Path-based depth-first search for strong and biconnected components", 2000): the
 * components of the path are a stack, each known by its first state; a way back to an open state makes one
 * component of all from the one that it belongs to. When the search leaves the first state of a component,
 * all of it is finished: what can be reached from one of its states can be reached from each, and was
 * explored below the first one. So all have its summary.
 *
 * A state of which the machine cannot tell whether it is like another one is open, too, and is never met
 * again. */
#include "search/visited/visited.h"

#include "base/memory.h"
#include "base/vector.h"

/* What is known of a state. */
typedef struct known_state {
    mz_hash state;
    uint32_t number; /* while it is open: which of those; then: its summary */
    bool open, ends;
} known_state;

void mz_visited_release(mz_visited *v)
{
    mz_summaries_release(&v->summaries);
    mz_map_release(&v->states);
    for (size_t i = 0; i < v->path_capacity; i++)
        mz_release(v->path[i].of.bits);
    mz_release(v->path);
    mz_release(v->open);
    mz_release(v->components);
}

/* ---- leaving --------------------------------------------------------------------------------------------
 */

/* The search has left the first state of the last component. */
static void finish_component(mz_visited *v, const mz_path_state *first)
{
    size_t count = v->open_count - first->open;
    uint32_t summary = mz_set_keep(&v->summaries, &first->of);
    for (size_t i = first->open; i < v->open_count; i++) {
        known_state *known = mz_map_find(&v->states, sizeof *known, v->open[i]);
        if (known) {
            known->number = summary;
            known->open = false;
            known->ends = first->ends;
        }
    }
    v->endless += count > 0 && !first->ends;
    v->open_count = first->open;
    v->component_count--;
}

static void leave_last(mz_visited *v)
{
    mz_path_state *left = &v->path[--v->path_length];
    if (left->open != MZ_NONE && v->components[v->component_count - 1].open == left->open)
        finish_component(v, left);
    if (v->path_length == 0)
        return;
    mz_path_state *before = &v->path[v->path_length - 1];
    mz_set_add_all(&before->of, &left->of);
    before->ends |= left->ends;
}

/* ---- arriving -------------------------------------------------------------------------------------------
 */

static mz_path_state *push(mz_visited *v)
{
    size_t before = v->path_capacity;
    v->path = mz_grow(v->path, &v->path_capacity, v->path_length + 1, sizeof *v->path);
    for (size_t i = before; i < v->path_capacity; i++)
        v->path[i] = (mz_path_state){.open = MZ_NONE};
    mz_path_state *top = &v->path[v->path_length++];
    top->open = MZ_NONE;
    top->ends = false;
    mz_set_clear(&top->of);
    return top;
}

static void open_state(mz_visited *v, mz_path_state *top, mz_hash state)
{
    top->open = (uint32_t)v->open_count;
    v->open = mz_grow(v->open, &v->open_capacity, v->open_count + 1, sizeof *v->open);
    v->open[v->open_count++] = state;
    v->components =
        mz_grow(v->components, &v->component_capacity, v->component_count + 1, sizeof *v->components);
    v->components[v->component_count++] = (struct mz_component){top->open, v->path_length - 1};
}

/* A way back: all components of the path from that of the open state on are one. */
static size_t close_cycle(mz_visited *v, uint32_t open)
{
    while (v->components[v->component_count - 1].open > open)
        v->component_count--;
    return v->components[v->component_count - 1].depth;
}

mz_arrival mz_visited_arrive(mz_visited *v, size_t at_depth, mz_hash state, size_t *depth)
{
    bool is_new = true, is_known = state.low || state.high;
    while (v->path_length > at_depth)
        leave_last(v);
    mz_path_state *top = push(v);
    known_state *known = is_known ? mz_map_at(&v->states, sizeof *known, state, &is_new) : NULL;
    *depth = at_depth;
    if (is_new) {
        if (known)
            *known = (known_state){.state = known->state, .number = (uint32_t)v->open_count, .open = true};
        open_state(v, top, known ? known->state : (mz_hash){0, 0});
        return MZ_ARRIVAL_NEW;
    }
    if (known->open) {
        *depth = close_cycle(v, known->number);
        return MZ_ARRIVAL_CYCLE;
    }
    mz_set_copy(&v->summaries, &top->of, known->number);
    top->ends = known->ends;
    return MZ_ARRIVAL_FINISHED;
}

mz_arrival mz_visited_arrive_now(mz_visited *v, mz_search *s, size_t *depth)
{
    return mz_visited_arrive(v, s->execution->length, s->machine->class->fingerprint(s->machine), depth);
}

/* ---- what is known of the state at the top --------------------------------------------------------------
 */

void mz_visited_end_here(mz_visited *v)
{
    mz_path_state *top = &v->path[v->path_length - 1];
    top->ends |= top->open != MZ_NONE;
}

void mz_visited_add(mz_visited *v, uint32_t thread, const mz_operation *pending)
{
    for (uint32_t i = 0; i < pending->access_count; i++)
        mz_set_add(&v->summaries, &v->path[v->path_length - 1].of, thread, pending->accesses[i]);
}

void mz_visited_each(const mz_visited *v, void (*each)(void *, uint32_t, mz_access), void *context)
{
    mz_set_each(&v->summaries, &v->path[v->path_length - 1].of, each, context);
}

/* Where the search was stopped, nothing is known of what was left. */
void mz_visited_close(mz_visited *v, mz_search *s)
{
    while (v->path_length > 0 && !s->stop)
        leave_last(v);
    s->visited_states = v->states.count;
    bool asked = s->options.checks & s->machine->class->failure_kinds & (1u << MZ_FAIL_LIVELOCK);
    if (!s->stop && v->endless > 0 && asked)
        mz_search_stop(s, "some executions come back to a state that they were in, and from it none ends");
}
