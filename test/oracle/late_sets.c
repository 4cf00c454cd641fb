#include "oracle/late_sets.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "machine/execution.h"
#include "machine/identity.h"
#include "oracle/states.h"
#include "safe/plan/guards.h"
#include "safe/verify/first_trace_rules.h"

enum { MOST_STEPS = 30000, MOST_CASES = 16, MOST_LATE = 8 };

typedef struct one_case {
    mz_choice inputs[MOST_LATE];
    size_t input_count;
    mz_plan plan; /* with events and waits of its own */
} one_case;

struct late_sets {
    mz_machine *machine;
    one_case cases[MOST_CASES];
    size_t count;
    bool hopeless;
    /* Of the runs: */
    mz_symbolic_plan symbolic;
    char *image;
    mz_execution *x;
    mz_choices choices;
    mz_hash_set seen;
    uint64_t steps;
    bool has_prefix; /* one of the plans is no set */
    bool learned, stopped, gave_up;
    mz_text *problem;
    /* now: */
    const one_case *now;
    size_t known_count;
    mz_valuation known;
    uint32_t stage;
    uint32_t done[MZ_PLAN_MOST_THREADS];      /* counts */
    uint32_t published[MZ_PLAN_MOST_THREADS]; /* … of what has happened since there is a decision */
};

const char *late_input_name(size_t number)
{
    static char names[64][8];
    snprintf(names[number % 64], sizeof names[0], "i%zu", number % 64);
    return names[number % 64];
}

late_sets *late_sets_create(mz_machine *machine)
{
    late_sets *all = mz_allocate_zeroed(1, sizeof *all);
    all->machine = machine;
    return all;
}

static mz_plan copy_of(const mz_plan *plan)
{
    mz_plan copy = {.prefix = plan->prefix,
                    .length = plan->length,
                    .counts_accesses = plan->counts_accesses,
                    .thread_count = plan->thread_count,
                    .event_count = plan->event_count,
                    .wait_count = plan->wait_count};
    copy.events = mz_grow(NULL, &copy.event_capacity, plan->event_count + 1, sizeof *copy.events);
    copy.waits = mz_grow(NULL, &copy.wait_capacity, plan->wait_count + 1, sizeof *copy.waits);
    memcpy(copy.threads, plan->threads, sizeof copy.threads);
    for (size_t i = 0; i < plan->event_count; i++) { /* without names for people, which are the plan's */
        copy.events[i] = plan->events[i];
        copy.events[i].file = copy.events[i].text = NULL;
        copy.events[i].place = MZ_PLAN_NOWHERE;
    }
    if (plan->wait_count > 0)
        memcpy(copy.waits, plan->waits, plan->wait_count * sizeof *copy.waits);
    return copy;
}

void late_sets_add(late_sets *all, const mz_choices *valuation, const mz_plan *plan, const mz_edges *set)
{
    all->hopeless |= !plan || all->count == MOST_CASES || valuation->count > MOST_LATE;
    if (all->hopeless)
        return;
    one_case *c = &all->cases[all->count++];
    c->input_count = valuation->count;
    memcpy(c->inputs, valuation->made, valuation->count * sizeof *c->inputs);
    c->plan = copy_of(plan);
    if (set->count > 0 && c->plan.prefix > 0)
        mz_plan_keep_edges(&c->plan, set);
}

void late_sets_destroy(late_sets *all)
{
    for (size_t i = 0; i < all->count; i++) {
        mz_release(all->cases[i].plan.events);
        mz_release(all->cases[i].plan.waits);
    }
    mz_release(all);
}

/* ---- one symbolic plan ------------------------------------------------------------------------------------
 */

static void combine(late_sets *all)
{
    mz_symbolic_plan *s = &all->symbolic;
    mz_guard_row rows[MOST_CASES] = {0};
    mz_symbolic_init(s);
    for (size_t i = 0; i < all->count; i++) {
        one_case *c = &all->cases[i];
        mz_plan *plan = mz_symbolic_add_plan(s);
        *plan = c->plan;
        for (size_t k = 0; k < c->input_count; k++) {
            size_t input = mz_symbolic_find_input(s, late_input_name(k));
            if (input == s->input_count)
                mz_symbolic_add_input(s, late_input_name(k), c->inputs[k].low, c->inputs[k].high);
            rows[i].valuation.known |= UINT64_C(1) << input;
            rows[i].valuation.values[input] = c->inputs[k].value;
        }
        rows[i].plan = (uint32_t)i;
    }
    if (!mz_guards_learn(s, rows, all->count))
        mz_text_add(all->problem, " late inputs: too many guards\n");
    all->image = mz_allocate_zeroed(1, mz_symbolic_image_bytes(s));
    mz_symbolic_image_fill(s, 0, NULL, NULL, all->image);
}

static void release_combination(late_sets *all)
{
    all->symbolic.plan_count = 0; /* the cases' own */
    mz_symbolic_release(&all->symbolic);
    mz_release(all->image);
}

/* ---- what is allowed --------------------------------------------------------------------------------------
 */

static void wrong(late_sets *all, const char *what)
{
    if (all->problem->length > 0)
        return;
    mz_text_add(all->problem, " late inputs: %s, with", what);
    for (size_t i = 0; i < all->now->input_count; i++)
        mz_text_add(all->problem, " %lld", (long long)all->now->inputs[i].value);
    mz_text_add(all->problem, " (%zu known), after", all->known_count);
    for (size_t i = 0; i < all->x->length; i++)
        mz_text_add(all->problem, " %u", all->x->events[i].thread);
    mz_text_add(all->problem, "\n");
}

static bool is_decided(const late_sets *all)
{
    return all->stage & MZ_GUARD_PLAN;
}

static const mz_stage *stage_of(const late_sets *all)
{
    const mz_symbolic_image *image = (const mz_symbolic_image *)(const void *)all->image;
    return (const mz_stage *)(const void *)(all->image + image->stages) + all->stage;
}

static uint32_t longest_below(const late_sets *all, uint32_t at)
{
    const mz_symbolic_plan *s = &all->symbolic;
    if (at & MZ_GUARD_PLAN)
        return s->plans[at & ~MZ_GUARD_PLAN].prefix;
    uint32_t a = longest_below(all, s->guards[at].holds), b = longest_below(all, s->guards[at].fails);
    return a > b ? a : b;
}

static bool is_complete(const late_sets *all, const mz_plan *plan, uint32_t prefix)
{
    for (uint32_t i = 0; i < prefix; i++)
        if (all->done[plan->events[i].thread] < plan->events[i].count)
            return false;
    return true;
}

static bool has_waited(const mz_plan *plan, const mz_plan_event *e, const uint32_t *counts)
{
    for (uint32_t i = 0; i < e->wait_count; i++) {
        mz_plan_wait wait = plan->waits[e->first_wait + i];
        if (counts[wait.thread] < wait.count)
            return false;
    }
    return true;
}

static bool set_allows(const late_sets *all, const mz_plan *set, uint32_t thread, uint32_t count)
{
    for (size_t i = 0; i < set->event_count; i++)
        if (set->events[i].thread == thread && set->events[i].count == count)
            return has_waited(set, &set->events[i], all->published);
    return true;
}

static bool prefix_allows(const late_sets *all, const mz_plan *plan, uint32_t prefix, uint32_t thread,
                          uint32_t count)
{
    for (uint32_t i = 0; i < plan->event_count; i++) {
        const mz_plan_event *e = &plan->events[i];
        if (e->thread != thread || e->count <= all->done[thread] || e->count > count)
            continue;
        return i >= prefix ? is_complete(all, plan, prefix) : has_waited(plan, e, all->done);
    }
    return true;
}

/* As the runtime decides it. */
static bool is_allowed(late_sets *all, uint32_t thread, uint32_t count)
{
    const mz_symbolic_plan *s = &all->symbolic;
    if (is_decided(all)) {
        const mz_plan *plan = &s->plans[all->stage & ~MZ_GUARD_PLAN];
        return plan->edges_only ? set_allows(all, plan, thread, count)
                                : prefix_allows(all, plan, plan->prefix, thread, count);
    }
    const mz_stage *stage = stage_of(all);
    const mz_plan *plan = &s->plans[stage->plan];
    uint32_t longest = longest_below(all, all->stage),
             prefix = longest < stage->common ? longest : stage->common;
    uint32_t stop = ((const uint32_t *)(const void *)(all->image + stage->stops))[thread];
    if (stop > 0 && count >= stop) {
        all->stopped = true;
        return longest <= stage->common && is_complete(all, plan, prefix);
    }
    return prefix == 0 || prefix_allows(all, plan, prefix, thread, count);
}

/* ---- all runs ---------------------------------------------------------------------------------------------
 */

static uint32_t count_of(const late_sets *all, uint32_t thread)
{
    mz_name name = {.operations = all->x->thread_length[thread] + 1};
    if (all->machine->class->name_pending)
        all->machine->class->name_pending(all->machine, thread, &name);
    return name.operations + (all->symbolic.plans[0].counts_accesses ? name.accesses : 0);
}

static bool is_over(const late_sets *all)
{
    return all->learned || all->gave_up || all->problem->length > 0 || all->steps > MOST_STEPS;
}

static void walk(late_sets *all);

static void take_step(late_sets *all, uint32_t thread, uint32_t count)
{
    mz_operation executed;
    uint32_t done = all->done[thread], published = all->published[thread];
    mz_outcome outcome = all->machine->class->step(all->machine, thread, &all->choices, &executed);
    all->steps++;
    all->learned |= all->machine->begin_again;
    all->gave_up |= (all->choices.count > 0 && all->has_prefix) || all->x->length > DEEPEST_RUN;
    mz_execution_push(all->x, thread, &executed, &all->choices);
    if (outcome != MZ_STEP_DONE && !is_over(all))
        wrong(all, outcome == MZ_STEP_PRUNED ? "an assumption does not hold" : "a run fails");
    all->done[thread] = count;
    all->published[thread] = is_decided(all) ? count : published;
    walk(all);
    all->done[thread] = done;
    all->published[thread] = published;
}

/* With all values of what is chosen on the way: a set is enough for all of them. A prefix is not; then the
 * plans would come from a strategy (strategies.c). */
static void take_steps(late_sets *all, uint32_t thread, uint32_t count, const char *state)
{
    mz_execution *x = all->x;
    size_t length = x->length, next = 1;
    mz_choices_prescribe(&all->choices, NULL, 0);
    while (next > 0 && !is_over(all)) {
        take_step(all, thread, count);
        const mz_event *event = &x->events[length];
        next = mz_choices_next(x->choices + event->first_choice, event->choice_count);
        if (next > 0)
            mz_choices_prescribe(&all->choices, x->choices + event->first_choice, next);
        mz_execution_pop(x);
        state_restore(all->machine, state, length);
    }
}

/* The next input is read. */
static void know_more(late_sets *all)
{
    mz_valuation known = all->known;
    uint32_t stage = all->stage;
    size_t input = mz_symbolic_find_input(&all->symbolic, late_input_name(all->known_count));
    all->known.known |= UINT64_C(1) << input;
    all->known.values[input] = all->now->inputs[all->known_count++].value;
    if (!is_decided(all))
        all->stage = mz_guard_decide(all->symbolic.guards, all->stage, &all->known);
    walk(all);
    all->known = known;
    all->known_count--;
    all->stage = stage;
}

static mz_hash key_of(const late_sets *all)
{
    mz_hash key = mz_hash_add(mz_identity(all->x), all->known_count);
    for (uint32_t t = 0; t < all->x->thread_capacity && t < MZ_PLAN_MOST_THREADS; t++)
        key = mz_hash_add(key, all->published[t]);
    return key;
}

static void walk(late_sets *all)
{
    mz_threads ready = all->machine->status->ready;
    bool all_known = all->known_count == all->now->input_count, any = false;
    if (is_over(all) || !mz_hash_set_add(&all->seen, key_of(all)))
        return;
    if (all_known && !is_decided(all))
        wrong(all, "nothing is decided when all is known");
    if (!all_known)
        know_more(all);
    if (!mz_threads_any(ready)) {
        if (all_known && !mz_has_ended_well(all->machine->status))
            wrong(all, "a run gets stuck");
        return;
    }
    char *state = state_save(all->machine);
    MZ_FOR_EACH_THREAD(thread, ready)
    {
        uint32_t count = count_of(all, thread);
        if (is_over(all) || !is_allowed(all, thread, count))
            continue;
        any = true;
        take_steps(all, thread, count, state);
    }
    if (!any && all_known && !is_over(all))
        wrong(all, "nobody is allowed to go on");
    mz_release(state);
}

static void run_case(late_sets *all, const one_case *c)
{
    all->now = c;
    all->known_count = 0;
    all->known = (mz_valuation){0};
    all->stage = all->symbolic.guard_count == 0 ? MZ_GUARD_PLAN : 0;
    memset(all->done, 0, sizeof all->done);
    memset(all->published, 0, sizeof all->published);
    mz_hash_set_clear(&all->seen);
    mz_choices_prescribe(&all->choices, c->inputs, c->input_count);
    all->machine->class->reset(all->machine, &all->choices);
    all->learned |= all->machine->begin_again;
    mz_execution_restart(all->x, &all->choices);
    walk(all);
}

/* Whom a signal wakes is a part of a prefix, too: models have none. */
static bool is_worth_it(late_sets *all)
{
    bool any_set = false;
    for (size_t i = 0; i < all->count; i++) {
        const mz_plan *plan = &all->cases[i].plan;
        any_set |= plan->edges_only;
        all->has_prefix |= !plan->edges_only && plan->prefix > 0;
    }
    return !all->hopeless && any_set && all->count > 1 && !all->machine->class->name_pending;
}

static void count(const late_sets *all, late_tally *tally)
{
    tally->programs++;
    tally->plans += all->count;
    for (size_t i = 0; i < all->count; i++)
        tally->sets += all->cases[i].plan.edges_only;
    tally->guards += all->symbolic.guard_count;
    tally->steps += all->steps;
    tally->stopped += all->stopped;
    tally->too_large += all->steps > MOST_STEPS;
}

bool late_sets_try(late_sets *all, late_tally *tally, mz_text *problem)
{
    if (!is_worth_it(all) || problem->length > 0)
        return true;
    all->problem = problem;
    combine(all);
    all->x = mz_execution_create(all->machine, true);
    for (size_t i = 0; i < all->count && !is_over(all); i++)
        run_case(all, &all->cases[i]);
    if (!all->gave_up)
        count(all, tally);
    mz_execution_destroy(all->x);
    mz_hash_set_release(&all->seen);
    mz_release(all->choices.made);
    release_combination(all);
    return !all->learned;
}

void late_print(const late_tally *t)
{
    printf("late inputs: %" PRIu64 " programs (%" PRIu64 " valuations, %" PRIu64 " with sets, %" PRIu64
           " guards), in %" PRIu64 " of them somebody stops; %" PRIu64 " steps, %" PRIu64 " too large\n",
           t->programs, t->plans, t->sets, t->guards, t->stopped, t->steps, t->too_large);
}
