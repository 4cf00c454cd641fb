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
#include <stdio.h>

#include "algo/algorithm.h"
#include "algo/graph/items.h"
#include "algo/graph/stack.h"
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

/* ---- the next operation ------------------------------------------------------------------------------- */

/* False if there are no events for it. */
static bool describe(mz_search *s, exploration *n, uint32_t thread, mz__upcoming *u)
{
    mz_operation operation;
    const mz__graph *g = &top(n)->graph;
    s->machine->class->pending(s->machine, thread, &operation);
    int32_t last = g->last[thread];
    bool lock = operation.kind == MZ_OP_LOCK, unlock = operation.kind == MZ_OP_UNLOCK;
    bool update = operation.conditional || operation.kind == MZ_OP_UPDATE || operation.on_object;
    bool waits = operation.kind == MZ_OP_WAIT && operation.access_count == 2;
    *u = (mz__upcoming){.thread = thread,
                        .operation = s->execution->thread_length[thread] + 1,
                        .reads = operation.kind == MZ_OP_READ || update || lock,
                        .writes = operation.kind == MZ_OP_WRITE || update || lock || unlock,
                        .is_conditional = operation.conditional || operation.on_object,
                        .is_lock = lock || unlock,
                        .is_object = operation.on_object,
                        .shares = operation.shares,
                        .waits = operation.blocking,
                        .is_loose = operation.loose,
                        .is_plain = operation.order == MZ_PLAIN && !lock && !unlock,
                        .is_promised = last != MZ__NO_EVENT && g->events[last].is_promised,
                        .order = lock     ? MZ_ACQUIRE
                                 : unlock ? MZ_RELEASE
                                          : operation.order,
                        .failure_order = operation.failure_order,
                        .first_cause = (uint32_t)n->cause_count,
                        .cause_count = operation.cause_count};
    n->causes =
        mz_grow(n->causes, &n->cause_capacity, n->cause_count + operation.cause_count + 1, sizeof *n->causes);
    for (uint32_t i = 0; i < operation.cause_count; i++)
        n->causes[n->cause_count++] = operation.causes[i];
    n->children.causes = n->causes;
    if (u->is_promised) { /* they were noted when it was added */
        u->first_cause = g->events[last].first_cause;
        u->cause_count = g->events[last].cause_count;
    }
    if (operation.kind == MZ_OP_FENCE || operation.kind == MZ_OP_CHOOSE)
        return true;
    if (operation.on_object && operation.order == MZ_PLAIN)
        return false;
    if (!(u->reads || u->writes) || operation.access_count != 1u + waits || (u->is_plain && update))
        return false;
    u->slot = mz__slot_of(n, operation.accesses[0].location);
    u->gives = waits ? mz__slot_of(n, operation.accesses[1].location) + 1 : 0;
    return true;
}

/* The write from which it would read is so far back: would it write? */
static bool would_write(mz_search *s, const mz__graph *g, const mz__upcoming *u, int32_t from)
{
    uint32_t back = 0;
    if (!u->is_conditional || !u->writes)
        return u->writes;
    if (u->slot < g->slot_count)
        for (int32_t w = g->slots[u->slot].newest; w != from; w = g->events[w].older)
            back++;
    return s->machine->class->would_write(s->machine, u->thread, back);
}

/* An operation on an object: what comes last there is what it finds. Earlier it could have come where it
 * would not have had to wait; then it is read by what did come there. */
static void add_children_of_object(mz_search *s, exploration *n, const mz__upcoming *u, bool can_happen)
{
    const mz__graph *g = &top(n)->graph;
    int32_t newest = u->slot < g->slot_count ? g->slots[u->slot].newest : MZ__INITIAL;
    uint32_t back = 0;
    for (int32_t w = newest;; w = g->events[w].older, back++) {
        mz__upcoming it = *u;
        bool could = s->machine->class->would_write(s->machine, u->thread, back);
        if (!could)
            it.order = it.failure_order;
        if ((could || !u->waits) && (w != newest || can_happen))
            mz__add_children(&n->children, g, &it, w, true, w == newest);
        if (w == MZ__INITIAL || u->is_promised)
            break;
    }
}

/* Whoever holds the mutex has not given it back. */
static bool is_held(const mz__graph *g, int32_t section)
{
    return section >= 0 && g->events[section].is_update;
}

static void add_children(mz_search *s, exploration *n, const mz__upcoming *u, bool can_happen)
{
    frame *f = top(n);
    const mz__graph *g = &f->graph;
    int32_t newest = u->slot < g->slot_count ? g->slots[u->slot].newest : MZ__INITIAL;
    if (u->is_object) {
        add_children_of_object(s, n, u, can_happen);
    } else if (!u->reads) {
        mz__add_children(&n->children, g, u, MZ__INITIAL, u->writes, can_happen);
    } else if (u->is_promised) {
        int32_t from = g->events[g->last[u->thread]].from;
        mz__add_children(&n->children, g, u, from, would_write(s, g, u, from), can_happen);
    } else {
        for (int32_t w = newest;; w = g->events[w].older) {
            /* Of a critical section, giving the mutex back is what is read. */
            bool open = u->is_lock && w != newest && w >= 0 && is_held(g, w);
            bool held = u->is_lock && w == newest && is_held(g, w);
            bool forward = can_happen && (!u->is_lock || w == newest);
            if (!open && !held && !(u->is_plain && w != newest))
                mz__add_children(&n->children, g, u, w, would_write(s, g, u, w), forward);
            if (w == MZ__INITIAL)
                break;
        }
    }
    f->child_end = n->children.count;
}

/* What it does, and where; and why that is too much, where it does not show. */
static void describe_refused(mz_search *s, uint32_t thread, mz_text *what)
{
    mz_position at;
    mz_operation operation;
    s->machine->class->describe_pending(s->machine, thread, what, &at);
    s->machine->class->pending(s->machine, thread, &operation);
    bool sizes = operation.access_count > 1 && operation.order != MZ_PLAIN && !operation.on_object;
    mz_text_add(what, " (%s:%u)%s", at.file ? at.file : "?", at.line,
                sizes ? ", since there are accesses of another size to the same place" : "");
}

/* Whoever has not asked for it gets sequential consistency instead. */
static void refuse(mz_search *s, uint32_t thread)
{
    mz_text what = {0};
    mz_machine *m = s->machine;
    describe_refused(s, thread, &what);
    if (!m->beyond_weak)
        snprintf(m->beyond_what, sizeof m->beyond_what, "%s", mz_text_string(&what));
    m->beyond_weak = true;
    if (s->options.memory == MZ_MEMORY_AUTO && m->is_told_of_orders) {
        m->begin_again = s->begin_again = s->stop = true;
    } else {
        s->lost = true;
        mz_search_stop(s, "under a weak memory model this cannot be explored: %s", mz_text_string(&what));
    }
    mz_text_release(&what);
}

static bool has_promise(const mz__graph *g, uint32_t thread)
{
    return g->last[thread] != MZ__NO_EVENT && g->events[g->last[thread]].is_promised;
}

/* It was to come behind an operation on its object, and had to wait there; others have come meanwhile. It
 * goes on in other graphs, where one of those has revisited it. */
static mz_threads missed(const mz__graph *g, mz_threads ready)
{
    mz_threads found = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(t, ready)
    {
        const mz__event *event = has_promise(g, t) ? &g->events[g->last[t]] : NULL;
        if (event && event->is_object && event->from != g->slots[event->slot].newest)
            found |= mz_threads_of(t);
    }
    return found;
}

/* Which thread is next? One with a promise, if it can go on; otherwise the first. */
static uint32_t next_thread(const exploration *n, mz_threads ready)
{
    const mz__graph *g = &top(n)->graph;
    MZ_FOR_EACH_THREAD(t, ready)
    {
        if (has_promise(g, t))
            return t;
    }
    return mz_threads_first(ready);
}

static const mz_depth_first driver;

/* The machine has come to where the graph ends. */
static void expand(mz_search *s, exploration *n)
{
    mz__upcoming upcoming;
    mz_threads ready = s->machine->status->ready, blocked = s->machine->status->blocked;
    top(n)->is_expanded = true;
    if (s->at_leaf && mz_threads_any(ready)) /* --depth */
        return;
    mz_threads without = mz_threads_any(ready) ? missed(&top(n)->graph, ready) : MZ_NO_THREADS;
    ready &= ~without;
    if (mz_threads_any(ready)) {
        uint32_t thread = next_thread(n, ready);
        if (describe(s, n, thread, &upcoming))
            add_children(s, n, &upcoming, true);
        else
            refuse(s, thread);
        return;
    }
    if (mz_threads_any(without))
        mz_leaf_end(s, &driver, MZ_LEAF_BLOCKED);
    MZ_FOR_EACH_THREAD(t, blocked)
    {
        mz_operation operation;
        s->machine->class->pending(s->machine, t, &operation);
        if ((operation.kind == MZ_OP_LOCK || operation.on_object) && operation.blocking &&
            describe(s, n, t, &upcoming) && !upcoming.is_promised)
            add_children(s, n, &upcoming, false);
    }
}

/* ---- from graph to graph ------------------------------------------------------------------------------ */

/* The events of the operation at the end of its thread: they are not as by default. */
static void note_choices(mz__graph *g, int32_t event)
{
    uint32_t operation = g->events[event].operation;
    for (int32_t e = g->last[g->events[event].thread];
         e != MZ__NO_EVENT && g->events[e].operation == operation; e = g->events[e].before)
        g->events[e].has_choices = true;
}

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
        note_choices(&f->graph, step->event);
}

static bool make(exploration *n, size_t number, size_t prescribed)
{
    mz__push_frame(n);
    frame *parent = &n->frames[n->depth - 2], *f = top(n);
    if (!mz__make_graph(n, n->depth - 2, number, &f->graph)) {
        mz__pop_frame(n);
        return false;
    }
    mz__graph_step *step = &f->graph.steps[f->graph.step_count - 1];
    step->first_choice = mz__keep_choices(n, parent->chosen, prescribed);
    step->choice_count = (uint32_t)prescribed;
    n->is_absorbed = false;
    return true;
}

/* The next graph, in the order of a depth-first search; false if there is none. */
static bool find_next_graph(mz_search *s, exploration *n)
{
    absorb(s, n);
    if (!top(n)->is_expanded)
        expand(s, n);
    for (; n->depth > 0; mz__pop_frame(n)) {
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

/* Does the step say what was done there? */
static bool is_as_executed(const exploration *n, const mz_execution *x, size_t at, const mz__graph_step *step,
                           bool last)
{
    const mz_event *event = &x->events[at];
    const mz_choice *made = x->choices + event->first_choice;
    if (last || event->thread != step->thread || event->choice_count != step->chooses + step->choice_count ||
        (step->chooses && made[0].value != step->back))
        return false;
    for (uint32_t i = 0; i < step->choice_count; i++)
        if (made[step->chooses + i].value != n->choices[step->first_choice + i].value)
            return false;
    return true;
}

static size_t common_length(const mz_search *s, const exploration *n)
{
    const mz__graph *g = &top(n)->graph;
    size_t length = 0;
    while (length < s->execution->length && length < g->step_count &&
           is_as_executed(n, s->execution, length, &g->steps[length], length + 1 == g->step_count))
        length++;
    return length;
}

/* The machine is where the graph at hand ends: where to go from here? */
static void decide(mz_search *s, exploration *n)
{
    n->is_over = !find_next_graph(s, n);
    n->go_to = n->is_over ? 0 : common_length(s, n);
    n->is_leaving = n->go_to < s->execution->length;
}

static void prescribe(mz_search *s, const exploration *n, const mz__graph_step *step)
{
    mz_choices *c = &s->choices;
    size_t count = step->chooses + step->choice_count;
    c->made = mz_grow(c->made, &c->capacity, count + 1, sizeof *c->made);
    if (step->chooses)
        c->made[0] = (mz_choice){.value = step->back, .low = 0, .high = INT32_MAX};
    for (uint32_t i = 0; i < step->choice_count; i++)
        c->made[step->chooses + i] = n->choices[step->first_choice + i];
    c->prescribed = count;
    c->count = 0;
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
    prescribe(s, n, step);
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
    while (n->depth > 0)
        mz__pop_frame(n);
    n->is_over = n->is_leaving = false;
    n->threads = s->execution->thread_capacity;
    frame *root = mz__push_frame(n);
    root->graph.count = root->graph.step_count = root->graph.slot_count = 0;
    for (uint32_t t = 0; t < root->graph.threads; t++)
        root->graph.last[t] = MZ__NO_EVENT;
}

static const mz__memory_model *model_of(mz_memory memory)
{
    return memory == MZ_MEMORY_SC    ? &mz__model_sc
           : memory == MZ_MEMORY_TSO ? &mz__model_tso
                                     : &mz__model_rc11;
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
    exploration n = {0};
    if (!s->machine->class->would_write) {
        mz_search_stop(s, "the algorithm 'graph' is for C programs");
        return;
    }
    s->algorithm_data = &n;
    s->next_scouting = 0;
    s->machine->weak = s->machine->by_observation = true;
    mz__children_init(&n.children, model_of(s->options.memory), s->machine->thread_capacity);
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
    .run = run,
};
