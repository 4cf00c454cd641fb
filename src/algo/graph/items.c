#include "algo/graph/items.h"

#include "algo/graph/graph_bytes.h"
#include "base/memory.h"

/* ---- out of the stack --------------------------------------------------------------------------------- */

/* The step's choices: that of where to read from, and those of the program. */
static void add_step(const mz__graph_step *step, const mz_choice *program, size_t count, mz_schedule *out)
{
    size_t first = step->chooses, all = first + count;
    mz_choice *choices = mz_allocate_zeroed(all, sizeof *choices);
    if (first)
        choices[0] = (mz_choice){.value = step->back, .low = 0, .high = INT32_MAX};
    for (size_t i = 0; i < count; i++)
        choices[first + i] = program[i];
    mz_schedule_add(out, step->thread, choices, all);
    mz_release(choices);
}

/* The child of the graph in this frame, with these choices behind its last step and all greater ones. */
static void put(mz_search *s, mz__exploration *n, size_t parent, size_t child, const mz_choice *chosen,
                size_t count)
{
    const mz__graph *g = mz__graph_of_child(n, parent, child);
    if (!g)
        return;
    mz_work_item item = {.form = MZ_ITEM_GRAPH};
    mz_schedule steps = {0};
    mz_schedule_copy_first(&item.prefix, s->execution, 0);
    for (uint32_t i = 0; i < g->step_count; i++) {
        const mz__graph_step *step = &g->steps[i];
        bool last = i + 1 == g->step_count;
        add_step(step, last ? chosen : n->choices + step->first_choice, last ? count : step->choice_count,
                 &steps);
    }
    mz_schedule_write(&steps, &item.payload);
    mz__graph_write(g, n->causes, &item.payload);
    mz_schedule_release(&steps);
    mz_frontier_put(s->frontier, &item);
}

/* Nothing has been found yet. */
static void put_root(mz_search *s)
{
    mz_work_item item = {.form = MZ_ITEM_GRAPH};
    mz_schedule_copy_first(&item.prefix, s->execution, 0);
    mz_frontier_put(s->frontier, &item);
}

static void put_next_choices(mz_search *s, mz__exploration *n, size_t at)
{
    mz__graph_frame *f = &n->frames[at];
    mz_choice *chosen = mz_allocate_zeroed(f->chosen_count, sizeof *chosen);
    for (size_t i = 0; i < f->chosen_count; i++)
        chosen[i] = f->chosen[i];
    mz_choice *others = mz_allocate_zeroed(f->chosen_count, sizeof *others);
    size_t count = mz_choices_next(chosen, f->chosen_count);
    size_t more = mz_choices_divide(chosen, count, others);
    if (count > 0)
        put(s, n, at, f->child_made, chosen, count);
    if (more > 0)
        put(s, n, at, f->child_made, others, more);
    f->child_made = SIZE_MAX;
    mz_release(others);
    mz_release(chosen);
}

static void put_waiting(mz_search *s, mz__exploration *n, size_t at)
{
    mz__graph_frame *f = &n->frames[at];
    if (f->child_made != SIZE_MAX)
        put_next_choices(s, n, at);
    for (size_t child = f->next_child; child < f->child_end; child++)
        put(s, n, at, child, NULL, 0);
    f->child_end = f->next_child;
}

/* The graph at hand, which has been made, but not been visited. */
static void put_unfinished(mz_search *s, mz__exploration *n)
{
    const mz__graph *g = &mz__top_graph(n)->graph;
    if (n->depth == 1) {
        put_root(s);
        return;
    }
    const mz__graph_step *last = &g->steps[g->step_count - 1];
    put(s, n, n->depth - 2, n->frames[n->depth - 2].next_child - 1, n->choices + last->first_choice,
        last->choice_count);
}

void mz__graphs_hand_out(mz_search *s, mz__exploration *n, bool all)
{
    size_t before = s->frontier->count;
    if (n->depth == 0 && !n->is_over && !s->at_leaf) /* it has not begun */
        put_root(s);
    if (all && n->depth > 0 && !mz__top_graph(n)->is_expanded)
        put_unfinished(s, n);
    for (size_t at = n->depth; all && at-- > 0;)
        put_waiting(s, n, at);
    for (size_t at = 0; at < n->depth && s->frontier->count == before; at++)
        put_waiting(s, n, at);
}

/* ---- and into it -------------------------------------------------------------------------------------- */

/* What each step chooses, out of the schedule. */
static bool take_choices(mz__exploration *n, mz__graph *g, const mz_schedule *steps)
{
    if (steps->length != g->step_count || steps->initial_choices > 0)
        return false;
    for (uint32_t i = 0; i < g->step_count; i++) {
        size_t count;
        mz__graph_step *step = &g->steps[i];
        const mz_choice *choices = mz_schedule_choices(steps, i, &count);
        if (step->thread != steps->threads[i] || count < step->chooses)
            return false;
        step->choice_count = (uint32_t)(count - step->chooses);
        step->first_choice = mz__keep_choices(n, choices + step->chooses, step->choice_count);
    }
    return true;
}

/* The choices behind the last step are noted as those of the child. */
static void take_chosen(mz__exploration *n, mz__graph_frame *f)
{
    const mz__graph_step *last = &f->graph.steps[f->graph.step_count - 1];
    f->chosen = mz_grow(f->chosen, &f->chosen_capacity, last->choice_count + 1, sizeof *f->chosen);
    for (uint32_t i = 0; i < last->choice_count; i++)
        f->chosen[i] = n->choices[last->first_choice + i];
    f->chosen_count = last->choice_count;
}

bool mz__graphs_begin(mz__exploration *n, const mz_work_item *item)
{
    mz_byte_reader r = {.data = item->payload.data, .length = item->payload.length};
    mz__graph_frame *f = mz__top_graph(n);
    mz_schedule steps;
    if (item->payload.length == 0)
        return true;
    bool fits = mz_schedule_read(&r, &steps) &&
                mz__graph_read(&r, &f->graph, &n->causes, &n->cause_count, &n->cause_capacity);
    fits = fits && f->graph.step_count > 0 && take_choices(n, &f->graph, &steps);
    mz_schedule_release(&steps);
    if (!fits)
        return false;
    take_chosen(n, f);
    n->slot_count = f->graph.slot_count;
    n->children.causes = n->causes;
    n->children.count = f->child_end = 1;
    n->begins_with_child = f->is_expanded = true;
    n->passing = f->graph.step_count;
    return true;
}

/* The event that gives back the mutex, behind that of waiting. */
static void pass_mutex(mz__exploration *n, const mz__graph *g, int32_t first, uint32_t location)
{
    const mz__event *event = &g->events[first];
    for (int32_t e = g->last[event->thread]; e != MZ__NO_EVENT && e != first; e = g->events[e].before)
        if (g->events[e].operation == event->operation && g->events[e].is_lock)
            mz__set_slot(n, location, g->events[e].slot);
}

bool mz__graphs_pass(mz_search *s, mz__exploration *n, const mz__graph_step *step)
{
    const mz__graph *g = &mz__top_graph(n)->graph;
    const mz__event *event = &g->events[step->event];
    mz_operation operation;
    if (!mz_threads_has(s->machine->status->ready, step->thread)) {
        mz_frontier_refuse(s, "its steps cannot be made");
        return false;
    }
    s->machine->class->pending(s->machine, step->thread, &operation);
    if (event->kind != MZ__F && operation.access_count > 0)
        mz__set_slot(n, operation.accesses[0].location, event->slot);
    if (operation.kind == MZ_OP_WAIT && operation.access_count == 2)
        pass_mutex(n, g, step->event, operation.accesses[1].location);
    s->passed_events = s->statistics.events; /* whoever has made the item has counted these steps */
    if (s->execution->length + 1 == n->passing)
        n->passing = 0;
    return true;
}
