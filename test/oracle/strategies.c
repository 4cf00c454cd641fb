#include "oracle/strategies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "machine/identity.h"
#include "oracle/states.h"
#include "oracle/strategies_brute.h"
#include "safe/verify/verify_cases.h"

enum { MOST_EVENTS = 300000, MOST_STEPS = 60000, MOST_LEAVES = 40, MOST_NAMES = 4096 };

/* One program. */
typedef struct trial {
    mz_machine *machine;
    uint32_t checks;
    uint64_t traces;
    mz_first_trace rule;
    mz_cases cases;
    mz_case *now;
    mz_hash_set verified;
    bool first_round, learned, reads_later;
    strategy_tally *tally;
    mz_text *problem;
} trial;

static void wrong(trial *t, const char *what)
{
    if (t->problem->length == 0)
        mz_text_add(t->problem, " strategies: %s\n", what);
}

/* ---- names ------------------------------------------------------------------------------------------------
 *
 * Choices of models have none. Here they are those of a program: by thread, and how many came before. */

static const char *name_of(uint32_t thread, uint32_t number)
{
    static char names[64][64][12];
    char *name = names[thread % 64][number % 64];
    snprintf(name, sizeof names[0][0], "c%u.%u", number % 64, thread % 64);
    return name;
}

enum { AT_FIRST = 63 }; /* instead of the thread, of choices before the first event */

static void name_choices(const mz_machine *machine, mz_schedule *s)
{
    uint32_t chosen[64] = {0};
    for (size_t i = 0; i < s->initial_choices; i++)
        if (!s->choices[i].name)
            s->choices[i].name = name_of(AT_FIRST, (uint32_t)i);
    for (size_t e = 0; e < s->length; e++)
        for (size_t i = e > 0 ? s->choice_ends[e - 1] : s->initial_choices; i < s->choice_ends[e]; i++)
            if (!s->choices[i].name && mz_is_input(machine, &s->choices[i]))
                s->choices[i].name = name_of(s->threads[e], chosen[s->threads[e] % 64]++);
}

static void there_is_none(trial *t, const mz_choice *inputs, size_t count)
{
    if (strategy_exists(t->machine, inputs, count) && !t->machine->begin_again)
        wrong(t, "there is a strategy, but none was found");
    t->learned |= t->machine->begin_again;
}

/* ---- cases
 * --------------------------------------------------------------------------------------------------
 */

static bool branch(trial *t, size_t number, mz_execution *x)
{
    mz_case *c = &t->cases.items[number];
    mz_strategy strategy;
    mz_limits limits = {.depth = 2000};
    mz_strategy_goal wish = {.rule = t->rule,
                             .valuation = c->inputs,
                             .valuation_length = c->input_count,
                             .most_events = MOST_EVENTS};
    mz_seen_order none = {0};
    wish.seen = &none;
    bool found = mz_strategy_find(t->machine, x, &wish, &limits, &strategy);
    t->learned |= t->machine->begin_again;
    t->reads_later |= strategy.reads_later;
    if (!found && !t->learned && !strategy.is_too_large && strategy.reads_later) {
        t->tally->without_strategy++;
        there_is_none(t, c->inputs, c->input_count);
    }
    found = found && strategy.count + t->cases.count < MOST_LEAVES;
    for (size_t i = 0; found && i < strategy.count; i++)
        name_choices(t->machine, &strategy.leaves[i]);
    if (found)
        mz_cases_branch(&t->cases, t->machine, number, &strategy, 0);
    mz_strategy_release(&strategy);
    return found;
}

/* A strategy for every valuation of what comes before the first event; false if one has none. */
static bool find_cases(trial *t)
{
    mz_execution *x = mz_execution_create(t->machine, true);
    bool good = true;
    while (good && !t->learned && mz_cases_next(&t->cases))
        good = branch(t, t->cases.count - 1, x);
    mz_execution_destroy(x);
    return good && !t->learned && t->reads_later;
}

/* ---- searches
 * -----------------------------------------------------------------------------------------------
 */

static void observe(void *context, mz_search *s, mz_leaf leaf)
{
    trial *t = context;
    if (leaf != MZ_LEAF_BLOCKED)
        mz_hash_set_add(&t->verified, mz_identity(s->execution));
}

static void begin(void *context, mz_search *s)
{
    trial *t = context;
    mz_case *c = t->now;
    mz_extraction extraction = {0};
    mz_plan plan = {0};
    if (!mz_plan_extract(&plan, &extraction, s->machine, s->execution, c->fixed, false))
        wrong(t, "the first trace is not the same when it is repeated");
    if (c->plan.event_count == 0) {
        c->plan = plan;
        c->extraction = extraction;
    } else {
        mz_plan_release(&plan);
        mz_extraction_release(&c->current);
        c->current = extraction;
    }
}

static void shrink(void *context, mz_search *s, size_t depth)
{
    trial *t = context;
    mz_case *c = t->now;
    if (depth > c->extraction.deepest)
        return;
    c->prefix = !c->offered || depth < c->prefix ? (uint32_t)depth : c->prefix;
    c->offered = true;
    s->stop |= t->first_round;
}

static void search(trial *t)
{
    mz_case *c = t->now;
    mz_safe_prefix p = {
        .follow = &c->first, .fixed = c->fixed, .begin = begin, .shrink = shrink, .context = t};
    mz_search s;
    mz_search_options options = {.checks = t->checks,
                                 .all_errors = true,
                                 .safe_prefix = &p,
                                 .one_valuation = true,
                                 .valuation = c->inputs,
                                 .valuation_length = c->input_count};
    options.limits.events = MOST_EVENTS;
    options.limits.depth = 2000;
    mz_search_init(&s, t->machine, &options);
    s.observe = observe;
    s.observe_context = t;
    mz_algorithm_source.run(&s);
    t->learned |= s.begin_again;
    if (!t->learned && !p.has_first)
        wrong(t, "a leaf of the strategy is not the first execution when it is to be followed");
    if (p.has_first && p.finished != (c->fixed > 0 && !p.exhausted && !t->first_round && !s.incomplete) &&
        !t->first_round)
        wrong(t, "a search has not come to its end, or beyond");
    c->done = !t->first_round || p.finished;
    c->complete = p.finished && c->offered && c->prefix == c->fixed;
    mz_search_release(&s);
    mz_schedule_release(&p.other);
    if (c->complete)
        mz_cases_join(&t->cases, t->machine, c);
}

/* ---- all runs that the plan of all cases allows
 * --------------------------------------------------------------
 */

typedef struct runs {
    trial *t;
    mz_machine *machine;
    mz_symbolic_plan symbolic;
    char *image;
    mz_execution *x;
    mz_choices choices;
    mz_hash_set seen, found;
    uint64_t steps;
    /* now: */
    uint32_t stage;
    mz_valuation known;
    uint32_t done[MZ_PLAN_MOST_THREADS], chosen[64];
} runs;

static bool is_decided(const runs *r)
{
    return r->stage & MZ_GUARD_PLAN;
}

static const mz_stage *stage_of(const runs *r)
{
    const mz_symbolic_image *image = (const mz_symbolic_image *)(const void *)r->image;
    return (const mz_stage *)(const void *)(r->image + image->stages) + r->stage;
}

static uint32_t plan_number(const runs *r)
{
    return is_decided(r) ? r->stage & ~MZ_GUARD_PLAN : stage_of(r)->plan;
}

static uint32_t longest_below(const runs *r, uint32_t at)
{
    if (at & MZ_GUARD_PLAN)
        return r->symbolic.plans[at & ~MZ_GUARD_PLAN].prefix;
    uint32_t a = longest_below(r, r->symbolic.guards[at].holds),
             b = longest_below(r, r->symbolic.guards[at].fails);
    return a > b ? a : b;
}

static uint32_t prefix_of(const runs *r)
{
    if (is_decided(r))
        return r->symbolic.plans[plan_number(r)].prefix;
    uint32_t longest = longest_below(r, r->stage), common = stage_of(r)->common;
    return longest < common ? longest : common;
}

static bool prefix_is_complete(const runs *r)
{
    const mz_plan *plan = &r->symbolic.plans[plan_number(r)];
    for (uint32_t i = 0; i < prefix_of(r); i++)
        if (r->done[plan->events[i].thread] < plan->events[i].count)
            return false;
    return true;
}

static uint32_t count_of(runs *r, uint32_t thread)
{
    mz_name name = {.operations = r->x->thread_length[thread] + 1};
    if (r->machine->class->name_pending)
        r->machine->class->name_pending(r->machine, thread, &name);
    return name.operations + (r->symbolic.plans[0].counts_accesses ? name.accesses : 0);
}

static bool has_waited(const runs *r, const mz_plan *plan, const mz_plan_event *e)
{
    for (uint32_t i = 0; i < e->wait_count; i++) {
        mz_plan_wait wait = plan->waits[e->first_wait + i];
        if (r->done[wait.thread] < wait.count)
            return false;
    }
    return true;
}

/* As the runtime decides it, but that nothing overtakes the prefix. *rank: of the event in the plan; MZ_NONE:
 * nobody looks. */
static bool is_allowed(runs *r, uint32_t thread, uint32_t count, uint32_t *rank)
{
    const mz_plan *plan = &r->symbolic.plans[plan_number(r)];
    uint32_t prefix = prefix_of(r);
    *rank = MZ_NONE;
    if (!is_decided(r)) {
        uint32_t stop = ((const uint32_t *)(const void *)(r->image + stage_of(r)->stops))[thread];
        if (stop > 0 && count >= stop)
            return longest_below(r, r->stage) <= stage_of(r)->common && prefix_is_complete(r);
    }
    for (uint32_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        if (e->thread != thread || e->count <= r->done[thread] || e->count > count)
            continue;
        if (i >= prefix)
            return prefix_is_complete(r);
        if (e->count < count)
            wrong(r->t, "an event of the plan was passed over");
        *rank = i;
        return has_waited(r, plan, e);
    }
    return true;
}

static void know(runs *r, const char *name, int64_t value)
{
    size_t input = mz_symbolic_find_input(&r->symbolic, name);
    if (input == r->symbolic.input_count)
        return;
    r->known.known |= UINT64_C(1) << input;
    r->known.values[input] = value;
    if (r->symbolic.guard_count > 0)
        r->stage = mz_guard_decide(r->symbolic.guards, r->stage, &r->known);
}

static void walk(runs *r);

static void take_step(runs *r, uint32_t thread, uint32_t count)
{
    mz_operation executed;
    runs before = *r;
    mz_outcome outcome = r->machine->class->step(r->machine, thread, &r->choices, &executed);
    r->steps++;
    if (r->machine->begin_again) {
        r->t->learned = true;
        return;
    }
    if (outcome != MZ_STEP_DONE)
        wrong(r->t, outcome == MZ_STEP_PRUNED ? "an assumption does not hold" : "a run fails");
    mz_execution_push(r->x, thread, &executed, &r->choices);
    r->done[thread] = count;
    for (size_t i = 0; i < r->choices.count; i++) {
        const mz_choice *choice = &r->choices.made[i];
        if (mz_is_input(r->machine, choice))
            know(r, choice->name ? choice->name : name_of(thread, r->chosen[thread % 64]++), choice->value);
    }
    if (r->t->problem->length == 0)
        walk(r);
    r->stage = before.stage;
    r->known = before.known;
    memcpy(r->done, before.done, sizeof r->done);
    memcpy(r->chosen, before.chosen, sizeof r->chosen);
}

/* Whom the signal of an event of the prefix wakes is a part of the plan. */
static size_t prescribe_pick(runs *r, uint32_t rank)
{
    const mz_cases *cases = &r->t->cases;
    for (size_t i = 0; rank != MZ_NONE && i < cases->count; i++) {
        const mz_schedule *f = &cases->items[i].first;
        if (cases->items[i].number != plan_number(r))
            continue;
        size_t from = rank > 0 ? f->choice_ends[rank - 1] : f->initial_choices;
        size_t count = from < f->choice_ends[rank] && !mz_is_input(r->machine, &f->choices[from]) ? 1 : 0;
        mz_choices_prescribe(&r->choices, f->choices + from, count);
        return count;
    }
    mz_choices_prescribe(&r->choices, NULL, 0);
    return 0;
}

/* With all values of the inputs. */
static void take_steps(runs *r, uint32_t thread, uint32_t count, uint32_t rank, const char *state)
{
    mz_execution *x = r->x;
    size_t picks = prescribe_pick(r, rank), length = x->length;
    while (r->t->problem->length == 0 && !r->t->learned) {
        take_step(r, thread, count);
        if (x->length == length)
            return;
        const mz_event *event = &x->events[length];
        size_t next = mz_choices_next(x->choices + event->first_choice + picks, event->choice_count - picks);
        if (next > 0)
            mz_choices_prescribe(&r->choices, x->choices + event->first_choice, next + picks);
        mz_execution_pop(x);
        state_restore(r->machine, state, length);
        if (next == 0)
            return;
    }
}

static void end(runs *r)
{
    mz_hash trace = mz_identity(r->x);
    if (!mz_has_ended_well(r->machine->status))
        wrong(r->t, "a run gets stuck");
    else if (!mz_hash_set_has(&r->t->verified, trace))
        wrong(r->t, "a run that was not verified");
    mz_hash_set_add(&r->found, trace);
}

static void walk(runs *r)
{
    mz_machine *m = r->machine;
    if (r->x->length > DEEPEST_RUN)
        r->steps = MOST_STEPS + 1;
    if (r->steps > MOST_STEPS || r->t->learned || !mz_hash_set_add(&r->seen, mz_identity(r->x)))
        return;
    mz_threads ready = m->status->ready;
    if (!mz_threads_any(ready)) {
        end(r);
        return;
    }
    char *state = state_save(m);
    bool any = false;
    MZ_FOR_EACH_THREAD(thread, ready)
    {
        uint32_t rank, count = count_of(r, thread);
        if (r->t->problem->length > 0 || r->t->learned || !is_allowed(r, thread, count, &rank))
            continue;
        any = true;
        take_steps(r, thread, count, rank, state);
    }
    if (!any)
        wrong(r->t, "nobody is allowed to go on");
    mz_release(state);
}

static void run_all(runs *r)
{
    mz_choices_prescribe(&r->choices, NULL, 0);
    for (size_t next = 1; next > 0 && r->t->problem->length == 0 && !r->t->learned;) {
        memset(r->done, 0, sizeof r->done);
        memset(r->chosen, 0, sizeof r->chosen);
        r->known = (mz_valuation){0};
        r->stage = r->symbolic.guard_count == 0 ? MZ_GUARD_PLAN : 0;
        r->machine->class->reset(r->machine, &r->choices);
        mz_execution_restart(r->x, &r->choices);
        for (size_t i = 0; i < r->choices.count; i++) {
            const mz_choice *choice = &r->choices.made[i];
            know(r, choice->name ? choice->name : name_of(AT_FIRST, (uint32_t)i), choice->value);
        }
        walk(r);
        next = mz_choices_next(r->x->choices, r->x->initial_choices);
        mz_choices_prescribe(&r->choices, r->x->choices, next);
    }
}

static bool is_late(const mz_symbolic_plan *s, uint32_t input)
{
    for (size_t i = 0; i < s->plan_count; i++)
        for (size_t k = 0; k < s->plans[i].read_count; k++)
            if (s->plans[i].reads[k].rank > 0 &&
                strcmp(s->plans[i].reads[k].name, s->inputs[input].name) == 0)
                return true;
    return false;
}

static void count_combination(runs *r, bool is_free)
{
    strategy_tally *tally = r->t->tally;
    const mz_symbolic_plan *s = &r->symbolic;
    tally->combinations++;
    tally->plans += s->plan_count;
    tally->guards += s->guard_count;
    for (size_t i = 0; i < s->guard_count; i++)
        tally->late_guards += is_late(s, s->guards[i].left);
    tally->executions += r->found.count;
    tally->too_large += r->steps > MOST_STEPS;
    tally->all_verified += is_free;
    if (is_free && r->t->traces > 0 && r->steps <= MOST_STEPS && r->t->problem->length == 0 &&
        r->found.count != r->t->traces)
        wrong(r->t, "a plan without constraints does not allow all traces");
}

/* What is written can be read. (Plans of models are not written: some kinds of operations are not known
 * there.) */
static void read_again(trial *t, const mz_symbolic_plan *symbolic)
{
    mz_text text = {0};
    mz_error error = {0};
    mz_symbolic_plan again;
    if (!t->machine->class->name_pending)
        return;
    mz_symbolic_text(symbolic, &text);
    if (!mz_symbolic_parse(&again, "plan", mz_text_string(&text), text.length, &error))
        wrong(t, mz_text_string(&error.message));
    mz_symbolic_release(&again);
    mz_error_release(&error);
    mz_text_release(&text);
}

static void try_combination(trial *t)
{
    mz_text obstacle = {0};
    runs r = {.t = t, .machine = t->machine};
    if (!mz_cases_combine(&t->cases, t->machine, &r.symbolic, &obstacle)) {
        wrong(t, mz_text_string(&obstacle));
    } else {
        bool is_free = r.symbolic.plan_count == 1 && r.symbolic.plans[0].prefix == 0;
        read_again(t, &r.symbolic);
        r.image = mz_allocate_zeroed(1, mz_symbolic_image_bytes(&r.symbolic));
        mz_symbolic_image_fill(&r.symbolic, 0, NULL, NULL, r.image);
        r.x = mz_execution_create(t->machine, true);
        run_all(&r);
        count_combination(&r, is_free);
        mz_execution_destroy(r.x);
    }
    mz_cases_combined_release(&r.symbolic);
    mz_release(r.image);
    mz_release(r.choices.made);
    mz_hash_set_release(&r.seen);
    mz_hash_set_release(&r.found);
    mz_text_release(&obstacle);
}

/* ---- one program
 * ------------------------------------------------------------------------------------------------
 */

static void verify(trial *t)
{
    bool offered = true;
    t->first_round = true;
    for (size_t i = 0; i < t->cases.count && t->problem->length == 0 && !t->learned; i++) {
        t->now = &t->cases.items[i];
        search(t);
        offered &= t->now->offered;
    }
    t->first_round = false;
    if (!offered || t->learned || t->problem->length > 0)
        return;
    try_combination(t);
    for (size_t i = 0; i < t->cases.count && t->problem->length == 0 && !t->learned;) {
        t->now = &t->cases.items[i];
        if (t->now->done || t->now->searcher != i) {
            i++;
            continue;
        }
        search(t);
        if (!t->learned && t->problem->length == 0)
            try_combination(t);
        i = 0; /* one before may go on for others now */
    }
}

bool strategies_try(mz_machine *machine, uint32_t checks, uint64_t traces, uint64_t number,
                    strategy_tally *tally, mz_text *problem)
{
    static const mz_first_trace rules[] = {MZ_FIRST_FAIR, MZ_FIRST_SEQUENTIAL, MZ_FIRST_ROUND_ROBIN,
                                           MZ_FIRST_FEWEST_EDGES, MZ_FIRST_FEWEST_WAITS};
    trial t = {.machine = machine,
               .checks = checks,
               .traces = traces,
               .rule = rules[number % 5],
               .tally = tally,
               .problem = problem};
    if (find_cases(&t)) {
        tally->programs++;
        tally->leaves += t.cases.count;
        verify(&t);
    }
    mz_cases_release(&t.cases);
    mz_hash_set_release(&t.verified);
    return !t.learned || problem->length > 0;
}

void strategies_add(strategy_tally *tally, const strategy_tally *more)
{
    tally->programs += more->programs;
    tally->leaves += more->leaves;
    tally->without_strategy += more->without_strategy;
    tally->combinations += more->combinations;
    tally->plans += more->plans;
    tally->guards += more->guards;
    tally->late_guards += more->late_guards;
    tally->executions += more->executions;
    tally->too_large += more->too_large;
    tally->all_verified += more->all_verified;
}

void strategies_print(const strategy_tally *t)
{
    printf("strategies: %" PRIu64 " programs that read inputs on their way (%" PRIu64 " leaves), %" PRIu64
           " without one; %" PRIu64 " combinations (%" PRIu64 " plans, %" PRIu64 " guards, %" PRIu64
           " of them late), %" PRIu64 " without constraints; %" PRIu64 " executions, %" PRIu64 " too large\n",
           t->programs, t->leaves, t->without_strategy, t->combinations, t->plans, t->guards, t->late_guards,
           t->all_verified, t->executions, t->too_large);
}
