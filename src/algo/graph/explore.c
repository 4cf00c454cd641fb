/* Executions as graphs, each consistent one once: reverse search (children.c says which graphs come of
 * which). What waits is a stack of graphs with their children, as deep as the longest way from the empty
 * graph: memory is polynomial in the length of an execution.
 *
 * A graph is executed along its steps, an order that respects po and rf. So plain accesses, which are no
 * events, act on memory as it is: if nothing races, all writes to what they read happen before them, and have
 * been executed. In the order in which events were added that would not be so. To come from one graph to the
 * next, the machine goes back to where their steps differ.
 *
 * The next operation is a function of the graph: first that of a read which has been changed (it is
 * *promised*: its write follows it directly), then that of the first thread that can go on. Taking a mutex
 * that another thread holds comes last: where nobody else can go on, what it would revisit if it had come
 * earlier. */
#include "algo/algorithm.h"
#include "algo/graph/follow.h"
#include "algo/graph/graph_size.h"
#include "algo/graph/items.h"
#include "algo/graph/stack.h"
#include "algo/graph/upcoming.h"
#include "base/memory.h"
#include "machine/execution.h"
#include "search/leaf.h"

typedef mz__graph_frame frame;
typedef mz__exploration exploration;

static exploration *exploration_of(mz_search *s)
{
    return s->algorithm_data;
}

static frame *top(const exploration *n)
{
    return mz__top_graph(n);
}

/* ---- from graph to graph ------------------------------------------------------------------------------ */

/* The step at the end of the graph has been made: what did the program choose behind it? */
static void absorb(mz_search *s, exploration *n)
{
    frame *f = top(n);
    if (n->is_absorbed || f->graph.step_count == 0 || n->depth < 2)
        return;
    n->is_absorbed = true;
    mz__graph_step *step = &f->graph.steps[f->graph.step_count - 1];
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[x->length - 1];
    const mz_choice *made = x->choices + event->first_choice + step->chooses;
    size_t count = event->choice_count - step->chooses;
    frame *parent = &n->frames[n->depth - 2];
    parent->child_made = SIZE_MAX;
    step->first_choice = (uint32_t)n->choice_count;
    step->choice_count = (uint32_t)count;
    if (count == 0)
        return;
    parent->child_made = parent->next_child - 1;
    parent->chosen = mz_grow(parent->chosen, &parent->chosen_capacity, count, sizeof *made);
    n->choices = mz_grow(n->choices, &n->choice_capacity, n->choice_count + count, sizeof *made);
    bool others = false;
    for (size_t i = 0; i < count; i++) {
        parent->chosen[i] = n->choices[n->choice_count++] = made[i];
        others |= made[i].value != mz_choice_first(made[i].low, made[i].high);
    }
    parent->chosen_count = count;
    if (others)
        mz__note_choices(&f->graph, step->event);
}

static bool make(exploration *n, size_t number, size_t prescribed)
{
    if (!mz__push_child(n, number))
        return false;
    frame *parent = &n->frames[n->depth - 2], *f = top(n);
    mz__graph_step *step = &f->graph.steps[f->graph.step_count - 1];
    step->first_choice = mz__keep_choices(n, parent->chosen, prescribed);
    step->choice_count = (uint32_t)prescribed;
    n->is_absorbed = false;
    return true;
}

static const mz_depth_first driver;

static void expand(mz_search *s, exploration *n)
{
    if (!top(n)->is_expanded && mz__expand_graph(s, n))
        mz_leaf_end(s, &driver, MZ_LEAF_BLOCKED);
}

/* Back to its parent. */
static void leave_graph(exploration *n)
{
    n->agreed = top(n)->shared < n->agreed ? top(n)->shared : n->agreed;
    mz__pop_frame(n);
}

/* Where the machine leaves its execution for the graph at hand, which is new. */
static size_t find_parting(const mz_search *s, const exploration *n)
{
    frame *f = top(n);
    size_t steps = f->graph.step_count - 1, known = n->agreed < steps ? n->agreed : steps;
    size_t common = mz__common_length(s, n, &f->graph, f->is_longer ? known : 0);
    f->shared = f->is_longer ? steps : common < known ? common : known;
    return common;
}

/* The next graph, in the order of a depth-first search; false if there is none. */
static bool find_next_graph(mz_search *s, exploration *n)
{
    absorb(s, n);
    expand(s, n);
    n->agreed = s->execution->length == top(n)->graph.step_count ? s->execution->length : 0;
    for (; n->depth > 0; leave_graph(n)) {
        frame *f = top(n);
        size_t made = f->child_made, again = 0;
        f->child_made = SIZE_MAX;
        if (made != SIZE_MAX)
            again = mz_choices_next(f->chosen, f->chosen_count);
        if (again > 0 && make(n, made, again))
            return true;
        for (f = top(n); f->next_child < f->child_end; f = top(n))
            if (make(n, f->next_child++, 0))
                return true;
    }
    return false;
}

/* The machine is where the graph at hand ends: where to go from here? */
static void decide(mz_search *s, exploration *n)
{
    n->is_over = !find_next_graph(s, n);
    n->go_to = n->is_over ? 0 : find_parting(s, n);
    n->is_leaving = n->go_to < s->execution->length;
}

static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    (void)node;
    exploration *n = exploration_of(s);
    if (n->is_over || n->is_leaving)
        return false;
    if (s->execution->length == top(n)->graph.step_count)
        decide(s, n);
    if (n->is_over || n->is_leaving || s->stop)
        return false;
    const mz__graph_step *step = &top(n)->graph.steps[s->execution->length];
    if (MZ_UNLIKELY(n->passing > 0) && !mz__graphs_pass(s, n, step))
        return false;
    mz__prescribe_step(s, n, step);
    *thread = step->thread;
    return true;
}

static size_t return_to(mz_search *s)
{
    exploration *n = exploration_of(s);
    if (!n->is_leaving && !n->is_over)
        decide(s, n);
    n->is_leaving = false;
    return n->go_to;
}

static void begin(mz_search *s, mz_node *node)
{
    (void)node;
    exploration *n = exploration_of(s);
    n->is_over = n->is_leaving = false;
    mz__exploration_begin(n);
}

/* ---- in parts ----------------------------------------------------------------------------------------- */

static bool begin_item(mz_search *s, const mz_work_item *item)
{
    exploration *n = exploration_of(s);
    if (!mz__graphs_begin(n, item))
        return false;
    if (n->begins_with_child)
        make(n, top(n)->next_child++, top(n)->chosen_count);
    return true;
}

/* An execution has ended with the graph at hand, and was looked at: what comes of it waits, too. */
static void hand_out(mz_search *s, bool all)
{
    exploration *n = exploration_of(s);
    bool is_at_end = s->at_leaf && n->depth > 0 && !n->is_leaving && !top(n)->is_expanded &&
                     s->execution->length == top(n)->graph.step_count;
    if (all && is_at_end) {
        absorb(s, n);
        expand(s, n);
    }
    mz__graphs_hand_out(s, n, all);
}

static const mz_depth_first driver = {.enter = begin,
                                      .next = next,
                                      .return_to = return_to,
                                      .form = MZ_ITEM_GRAPH,
                                      .begin = begin_item,
                                      .hand_out = hand_out};

/* Executions at random between ours would not know what they may read. */
static void run(mz_search *s)
{
    exploration n;
    if (!s->machine->class->would_write) {
        mz_search_stop(s, "the algorithm 'graph' is for C programs");
        return;
    }
    s->algorithm_data = &n;
    s->next_scouting = 0;
    s->machine->weak = s->machine->by_observation = true;
    mz__exploration_init(&n, s);
    mz_explore_depth_first(s, &driver);
    mz__exploration_release(&n);
}

const mz_algorithm mz_algorithm_graph = {
    .name = "graph",
    .description = "one execution per consistent graph of a memory model: --memory=sc, tso or rc11",
    .equivalence = MZ_GRAPH,
    .weak_memory = true,
    .optimal = true,
    .shows_parts = true,
    .estimate = mz__graph_size,
    .run = run,
};
