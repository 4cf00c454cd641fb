#include "safe/verify/strategy.h"

#include "base/memory.h"
#include "search/sleep.h"

/* A step on the way to the leaf that is looked at. */
typedef struct node {
    uint32_t thread;
    mz_threads tried;  /* and lost */
    mz_threads asleep; /* they have lost before, and nothing has changed for them */
    mz_threads ready;
    size_t leaves;      /* as many had been found when its thread was begun with */
    mz_choice *choices; /* of the step: prescribed when it is done again */
    size_t choice_count, choice_capacity;
} node;

typedef struct finder {
    mz_machine *machine;
    mz_execution *x;
    const mz_strategy_goal *goal;
    const mz_limits *limits;
    mz_strategy *found;
    node *nodes;
    size_t depth, capacity; /* nodes with a greater number may have memory of their own */
    mz_choices choices;
    uint64_t events; /* that have happened */
} finder;

size_t mz_schedule_last_read(const mz_machine *machine, const mz_schedule *s, size_t most)
{
    for (size_t i = s->length; i-- > 0;) {
        size_t from = i > 0 ? s->choice_ends[i - 1] : s->initial_choices;
        for (size_t c = from; c < s->choice_ends[i] && i + 1 < most; c++)
            if (mz_is_input(machine, &s->choices[c]))
                return i + 1;
    }
    return 0;
}

/* ---- one execution --------------------------------------------------------------------------------------
 */

static node *node_at(finder *f, size_t depth)
{
    size_t known = f->capacity;
    f->nodes = mz_grow(f->nodes, &f->capacity, depth + 1, sizeof *f->nodes);
    for (size_t i = known; i < f->capacity; i++)
        f->nodes[i] = (node){0};
    return &f->nodes[depth];
}

static void begin_with(finder *f, node *n, uint32_t thread)
{
    n->thread = thread;
    n->choice_count = 0;
    n->leaves = f->found->count;
}

/* Those that can go on and are worth a try. */
static mz_threads candidates(const node *n)
{
    return n->ready & ~n->tried & ~n->asleep;
}

/* Is an input among them? */
static bool note_choices(finder *f, node *n)
{
    bool reads = false;
    n->choices = mz_grow(n->choices, &n->choice_capacity, f->choices.count, sizeof *n->choices);
    n->choice_count = f->choices.count;
    for (size_t i = 0; i < f->choices.count; i++) {
        n->choices[i] = f->choices.made[i];
        reads |= mz_is_input(f->machine, &n->choices[i]);
    }
    f->found->reads_later |= reads;
    return reads;
}

/* The step of the node. The one behind it is new if it is the last one. */
static mz_outcome take_step(finder *f, size_t at)
{
    mz_operation executed;
    node *n = &f->nodes[at];
    mz_choices_prescribe(&f->choices, n->choices, n->choice_count);
    mz_outcome outcome = f->machine->class->step(f->machine, n->thread, &f->choices, &executed);
    f->events++;
    mz_execution_push(f->x, n->thread, &executed, &f->choices);
    bool reads = note_choices(f, n);
    if (at + 1 == f->depth) {
        mz_threads asleep = reads ? MZ_NO_THREADS : (n->asleep | n->tried) & ~mz_threads_of(n->thread);
        node *next = node_at(f, at + 1);
        next->tried = MZ_NO_THREADS;
        next->asleep =
            mz_threads_any(asleep) ? mz_still_asleep(f->machine, asleep, &executed) : MZ_NO_THREADS;
    }
    return outcome;
}

static bool may_go_on(finder *f)
{
    const mz_strategy_goal *w = f->goal;
    f->found->is_too_large |= f->events >= w->most_events || (w->until > 0 && mz_seconds_now() >= w->until);
    return !f->found->is_too_large && !(f->limits->interrupted && *f->limits->interrupted) &&
           !f->machine->begin_again;
}

/* From the reset, along the nodes that there are, and then by the rule. True: it ends well. */
static bool run(finder *f)
{
    mz_machine *m = f->machine;
    mz_rule_walk walk = {.machine = m, .x = f->x, .seen = f->goal->seen};
    mz_choices_prescribe(&f->choices, f->goal->valuation, f->goal->valuation_length);
    mz_outcome outcome = m->class->reset(m, &f->choices);
    mz_execution_restart(f->x, &f->choices);
    node_at(f, 0); /* where nothing has been tried, and nothing sleeps */
    for (size_t at = 0; outcome == MZ_STEP_DONE && mz_threads_any(m->status->ready) && may_go_on(f); at++) {
        uint32_t preferred = mz_rule_next(&walk, f->goal->rule, m->status->ready);
        if (f->limits->depth > 0 && at >= f->limits->depth)
            return false;
        if (at == f->depth) {
            f->nodes[at].ready = m->status->ready;
            mz_threads threads = candidates(&f->nodes[at]);
            if (!mz_threads_any(threads))
                return false;
            begin_with(f, &f->nodes[at],
                       mz_threads_has(threads, preferred) ? preferred : mz_threads_first(threads));
            f->depth++;
        }
        outcome = take_step(f, at);
    }
    return outcome == MZ_STEP_DONE && !m->begin_again && !mz_threads_any(m->status->ready) &&
           mz_has_ended_well(m->status);
}

/* ---- the next one ---------------------------------------------------------------------------------------
 */

/* The next value of the last input that has one. */
static bool turn_inputs(const finder *f, node *n)
{
    for (size_t i = n->choice_count; i-- > 0;) {
        if (!mz_is_input(f->machine, &n->choices[i]) || mz_choice_is_last(&n->choices[i]))
            continue;
        n->choice_count = i + mz_choices_next(&n->choices[i], 1);
        return true;
    }
    return false;
}

/* It has ended well: which values of inputs are still to be looked at? False: none. */
static bool go_on_after_success(finder *f)
{
    while (f->depth > 0 && !turn_inputs(f, &f->nodes[f->depth - 1]))
        f->depth--;
    return f->depth > 0;
}

static void drop_leaves(mz_strategy *s, size_t count)
{
    while (s->count > count) {
        s->events -= s->leaves[--s->count].length;
        mz_schedule_release(&s->leaves[s->count]);
    }
}

/* Another thread to be woken by the signal, which is the first thing that is chosen in a step. */
static bool turn_pick(const finder *f, node *n)
{
    if (n->choice_count == 0 || mz_is_input(f->machine, &n->choices[0]) || mz_choice_is_last(&n->choices[0]))
        return false;
    n->choice_count = mz_choices_next(n->choices, 1);
    return true;
}

/* Another thread: if there is none, the state before the node's step is lost. */
static bool turn_thread(finder *f, node *n)
{
    n->tried |= mz_threads_of(n->thread);
    mz_threads rest = candidates(n);
    if (mz_threads_any(rest))
        begin_with(f, n, mz_threads_first(rest));
    return mz_threads_any(rest);
}

static bool go_on_after_failure(finder *f)
{
    while (f->depth > 0) {
        node *n = &f->nodes[f->depth - 1];
        drop_leaves(f->found, n->leaves);
        if (turn_pick(f, n) || turn_thread(f, n))
            return true;
        f->depth--;
    }
    return false;
}

/* ---- all of them ----------------------------------------------------------------------------------------
 */

static bool keep_leaf(finder *f)
{
    mz_strategy *s = f->found;
    s->is_too_large = s->count == MZ_MOST_CASES || s->events + f->x->length > MZ_MOST_CASE_EVENTS;
    if (s->is_too_large)
        return false;
    s->leaves = mz_grow(s->leaves, &s->capacity, s->count + 1, sizeof *s->leaves);
    mz_schedule_copy(&s->leaves[s->count++], f->x);
    s->events += f->x->length;
    if (f->goal->leaf)
        f->goal->leaf(f->goal->context, f->x);
    return true;
}

static bool find_all(finder *f)
{
    for (;;) {
        bool good = run(f);
        if (!may_go_on(f) || (good && !keep_leaf(f)))
            return false;
        if (good && !go_on_after_success(f))
            return true;
        if (!good && (f->goal->only_rule || !go_on_after_failure(f)))
            return false;
    }
}

void mz_strategy_release(mz_strategy *s)
{
    drop_leaves(s, 0);
    mz_release(s->leaves);
    *s = (mz_strategy){0};
}

bool mz_strategy_find(mz_machine *machine, mz_execution *x, const mz_strategy_goal *goal,
                      const mz_limits *limits, mz_strategy *strategy)
{
    finder f = {.machine = machine, .x = x, .goal = goal, .limits = limits, .found = strategy};
    *strategy = (mz_strategy){0};
    bool found = find_all(&f);
    for (size_t i = 0; i < f.capacity; i++)
        mz_release(f.nodes[i].choices);
    mz_release(f.nodes);
    mz_release(f.choices.made);
    return found;
}
