/* Stochastic enumeration of the tree of graphs that the search walks (explore.c): level by level, all
 * children of the graphs that were kept are made, and when there are more than the width allows, some are
 * drawn. One that is drawn with probability p counts for 1/p: so the mean of the weights at the leaves is the
 * number of leaves, whatever the probabilities are (Knuth, "Estimating the efficiency of backtrack programs",
 * 1975, has one path; Chen, SIAM J. Comput. 1992, many). The spread is large where few branches have most of
 * what there is. So p is proportional to the weight times the size that earlier rounds have found below
 * graphs of the same level and length; and the width grows from round to round, and a round counts as much as
 * it is wide.
 *
 * What a program chooses behind a step is drawn, and counts for all values that it could have been. */
#include "algo/graph/graph_size.h"

#include "algo/graph/follow.h"
#include "algo/graph/upcoming.h"
#include "base/hash.h"
#include "base/memory.h"
#include "machine/execution.h"
#include "search/leaf.h"

enum { FIRST_WIDTH = 16, LARGEST_WIDTH = 512, LEVELS = 128, LENGTHS = 64 };

typedef struct member {
    mz__graph graph;
    double weight, value; /* value: times the size to expect below it */
    uint32_t taken;       /* the way to it ends with this one */
} member;

/* A member that was kept, for learning from it afterwards. */
typedef struct taken_member {
    double weight, size;
    uint32_t before; /* index of the one that it comes of */
    uint32_t kind;
} taken_member;

typedef struct mean {
    double sum, count;
} mean;

typedef struct members {
    member *all;
    size_t count, made, capacity; /* in use; with a graph of their own; with room */
} members;

typedef struct sampler {
    mz__exploration exploration; /* its only frame has the graph at hand */
    members now, next;
    size_t at, width; /* the member at hand; so many are kept of a level */
    uint32_t depth;   /* of the level */
    taken_member *taken;
    size_t taken_count, taken_capacity;
    mean sizes[LEVELS * LENGTHS]; /* what was below members of a kind */
    member child;
    uint64_t random;
    double graphs, executions; /* of this round */
    double sum_of_graphs, sum_of_executions, sum_of_widths;
    bool is_over, is_leaving, has_drawn;
    size_t go_to;
    mz_tree_size result;
} sampler;

static double random_share(sampler *a)
{
    a->random += UINT64_C(0x9e3779b97f4a7c15);
    return (double)(mz_mix64(a->random) >> 11) * 0x1p-53;
}

/* ---- levels -------------------------------------------------------------------------------------------- */

static member *add_member(sampler *a, members *l)
{
    l->all = mz_grow(l->all, &l->capacity, l->count + 1, sizeof *l->all);
    if (l->count == l->made)
        mz__graph_init(&l->all[l->made++].graph, a->exploration.threads);
    return &l->all[l->count++];
}

static void release_level(members *l)
{
    for (size_t i = 0; i < l->made; i++)
        mz__graph_release(&l->all[i].graph);
    mz_release(l->all);
}

static uint32_t kind_of(const mz__graph *g, uint32_t depth)
{
    uint32_t level = depth < LEVELS ? depth : LEVELS - 1;
    return level * LENGTHS + (g->count < LENGTHS ? g->count : LENGTHS - 1);
}

/* The child is one of the next level. */
static void offer(sampler *a)
{
    const mean *m = &a->sizes[kind_of(&a->child.graph, a->depth + 1)];
    a->child.value = a->child.weight * (m->sum + 1) / (m->count + 1);
    member *place = add_member(a, &a->next), before = *place;
    *place = a->child;
    a->child = before;
}

/* What has at least this value is kept for certain, so that `width` are kept in the mean. */
static double threshold_for(const members *l, size_t width)
{
    double threshold = 0;
    for (size_t before = 0, certain = 0;; before = certain) {
        double rest = 0;
        certain = 0;
        for (size_t i = 0; i < l->count; i++)
            if (threshold > 0 && l->all[i].value >= threshold)
                certain++;
            else
                rest += l->all[i].value;
        if (certain >= width || (threshold > 0 && certain <= before))
            return threshold;
        threshold = rest / (double)(width - certain);
    }
}

/* About `width` of them, evenly along their order: relatives stand together (systematic sampling). */
static void draw_members(sampler *a, members *l)
{
    if (l->count <= a->width)
        return;
    double threshold = threshold_for(l, a->width), next = random_share(a) * threshold;
    size_t kept = 0;
    a->has_drawn = true;
    for (size_t i = 0; i < l->count; i++) {
        member *m = &l->all[i], other = l->all[kept];
        if (m->value < threshold) {
            next -= m->value;
            if (next >= 0)
                continue;
            next += threshold;
            m->weight *= threshold / m->value;
        }
        l->all[kept++] = *m;
        if (kept - 1 != i)
            *m = other;
    }
    l->count = kept;
}

static void take(sampler *a, member *m)
{
    a->taken = mz_grow(a->taken, &a->taken_capacity, a->taken_count + 1, sizeof *a->taken);
    a->taken[a->taken_count] =
        (taken_member){.weight = m->weight, .before = m->taken, .kind = kind_of(&m->graph, a->depth)};
    m->taken = (uint32_t)a->taken_count++;
}

/* The size of a subtree, as far as it was drawn, is an estimate of its size: members carry the weight of
 * those that were left out. */
static void learn_sizes(sampler *a)
{
    for (size_t i = a->taken_count; i-- > 0;) {
        const taken_member *t = &a->taken[i];
        mean *m = &a->sizes[t->kind];
        m->sum += t->size;
        m->count++;
        if (i > 0)
            a->taken[t->before].size += t->size * t->weight / a->taken[t->before].weight;
    }
}

static void begin_round(sampler *a)
{
    mz__exploration_begin(&a->exploration);
    a->graphs = a->executions = 0;
    a->has_drawn = false;
    a->at = a->now.count = a->next.count = a->taken_count = 0;
    a->depth = 0;
    member *root = add_member(a, &a->now);
    mz__graph_copy(&root->graph, &mz__top_graph(&a->exploration)->graph);
    root->weight = 1;
    root->taken = 0;
    take(a, root);
}

static void end_round(sampler *a)
{
    learn_sizes(a);
    a->result.rounds++;
    a->sum_of_graphs += a->graphs * (double)a->width;
    a->sum_of_executions += a->executions * (double)a->width;
    a->sum_of_widths += (double)a->width;
    a->result.counted = a->is_over = !a->has_drawn;
    a->width = a->width < LARGEST_WIDTH ? 2 * a->width : LARGEST_WIDTH;
}

/* The next member: of this level, of the next one, or of the next round. */
static void advance(sampler *a)
{
    if (++a->at < a->now.count)
        return;
    members old = a->now;
    draw_members(a, &a->next);
    a->depth++;
    for (size_t i = 0; i < a->next.count; i++)
        take(a, &a->next.all[i]);
    a->now = a->next;
    a->next = old;
    a->at = a->next.count = 0;
    if (a->now.count > 0)
        return;
    end_round(a);
    begin_round(a);
}

/* ---- a member ------------------------------------------------------------------------------------------ */

/* Its last step has been made: what did the program choose behind it? */
static void absorb(mz_search *s, sampler *a, member *m)
{
    if (m->graph.step_count == 0)
        return;
    mz__graph_step *step = &m->graph.steps[m->graph.step_count - 1];
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[x->length - 1];
    const mz_choice *made = x->choices + event->first_choice + step->chooses;
    bool others = false;
    step->choice_count = (uint32_t)(event->choice_count - step->chooses);
    step->first_choice = mz__keep_choices(&a->exploration, made, step->choice_count);
    for (uint32_t i = 0; i < step->choice_count; i++) {
        m->weight *= (double)made[i].high - (double)made[i].low + 1;
        others |= made[i].value != mz_choice_first(made[i].low, made[i].high);
    }
    if (others)
        mz__note_choices(&m->graph, step->event);
}

static void count_leaf(sampler *a, mz_leaf leaf, const member *m)
{
    double weight = m->weight;
    a->executions += weight;
    a->taken[m->taken].size += weight / a->taken[m->taken].weight;
    if (leaf != MZ_LEAF_BLOCKED && leaf != MZ_LEAF_PRUNED)
        a->graphs += weight;
}

static void visit(mz_search *s, sampler *a)
{
    mz__exploration *n = &a->exploration;
    member *m = &a->now.all[a->at];
    absorb(s, a, m);
    mz__graph_copy(&mz__top_graph(n)->graph, &m->graph);
    n->children.count = 0;
    if (!mz_threads_any(s->machine->status->ready))
        count_leaf(a, mz_leaf_of(s->machine->status), m);
    if (mz__expand_graph(s, n))
        count_leaf(a, MZ_LEAF_BLOCKED, m);
    for (size_t i = 0; i < n->children.count; i++) {
        a->child.weight = m->weight;
        a->child.taken = m->taken;
        if (mz__make_child(&n->children, &m->graph, &n->children.list[i], &a->child.graph)) {
            mz__graph_step *step = &a->child.graph.steps[a->child.graph.step_count - 1];
            step->choice_count = 0;
            offer(a);
        }
    }
}

static const mz__graph *graph_at_hand(const sampler *a)
{
    return &a->now.all[a->at].graph;
}

/* The machine is where the graph at hand ends. */
static void decide(mz_search *s, sampler *a)
{
    visit(s, a);
    if (!s->stop)
        advance(a);
    a->go_to = a->is_over ? 0 : mz__common_length(s, &a->exploration, graph_at_hand(a), 0);
    a->is_leaving = a->go_to < s->execution->length;
}

static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    sampler *a = s->algorithm_data;
    (void)node;
    if (a->is_over || a->is_leaving)
        return false;
    if (s->execution->length == graph_at_hand(a)->step_count)
        decide(s, a);
    if (a->is_over || a->is_leaving || s->stop)
        return false;
    const mz__graph_step *step = &graph_at_hand(a)->steps[s->execution->length];
    mz__prescribe_step(s, &a->exploration, step);
    *thread = step->thread;
    return true;
}

static size_t return_to(mz_search *s)
{
    sampler *a = s->algorithm_data;
    if (!a->is_leaving && !a->is_over)
        decide(s, a);
    a->is_leaving = false;
    return a->is_over ? 0 : a->go_to;
}

static void enter(mz_search *s, mz_node *node)
{
    (void)s;
    (void)node;
}

mz_tree_size mz__graph_size(mz_machine *machine, const mz_search_options *options, uint64_t seed)
{
    static const mz_depth_first driver = {
        .enter = enter, .next = next, .return_to = return_to, .unsplittable = true};
    mz_search s;
    sampler a = {.width = FIRST_WIDTH, .random = mz_mix64(seed)};
    mz_search_init(&s, machine, options);
    machine->weak = machine->by_observation = true;
    s.algorithm_data = &a;
    s.next_scouting = 0;
    s.options.one_valuation = true;
    s.choices.random = ~a.random | 1;
    mz__exploration_init(&a.exploration, &s);
    mz__graph_init(&a.child.graph, a.exploration.threads);
    begin_round(&a);
    mz_explore_depth_first(&s, &driver);
    a.result.known = a.sum_of_widths > 0;
    a.result.traces = a.result.known ? a.sum_of_graphs / a.sum_of_widths : 0;
    a.result.executions = a.result.known ? a.sum_of_executions / a.sum_of_widths : 0;
    a.result.error = s.problem_count > 0;
    a.result.begin_again = s.begin_again;
    release_level(&a.now);
    release_level(&a.next);
    mz__graph_release(&a.child.graph);
    mz_release(a.taken);
    mz__exploration_release(&a.exploration);
    mz_search_release(&s);
    return a.result;
}
