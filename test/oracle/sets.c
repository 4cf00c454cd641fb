#include "oracle/sets.h"

#include <stdio.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "machine/identity.h"
#include "oracle/edges.h"
#include "oracle/states.h"
#include "safe/plan/small_set.h"
#include "search/safe_prefix.h"

enum { MOST_STEPS = 40000, MOST_EVENTS = 100000, MOST_HERE = 256 };

void sets_add(set_tally *t, const set_tally *more)
{
    t->compared += more->compared;
    t->executions += more->executions;
    t->given_up += more->given_up;
    t->minimised += more->minimised;
    t->for_valuations += more->for_valuations;
    t->beside_prefixes += more->beside_prefixes;
    t->edges_before += more->edges_before;
    t->edges_after += more->edges_after;
    t->not_minimal += more->not_minimal;
    t->refused += more->refused;
    t->too_large += more->too_large;
}

void sets_print(const set_tally *t)
{
    printf("constraint sets: %llu from plans (%llu for one valuation of the inputs, %llu beside prefixes), "
           "%llu edges of %llu "
           "left, %llu refused; %llu at random (%llu "
           "executions), %llu given up; %llu too large\n",
           (unsigned long long)t->minimised, (unsigned long long)t->for_valuations,
           (unsigned long long)t->beside_prefixes, (unsigned long long)t->edges_after,
           (unsigned long long)t->edges_before, (unsigned long long)t->refused,
           (unsigned long long)t->compared, (unsigned long long)t->executions,
           (unsigned long long)t->given_up, (unsigned long long)t->too_large);
}

/* ---- all executions that keep a set -----------------------------------------------------------------------
 */

enum { NOT_YET, FAILED, OVER }; /* an operation that fails is never over */

typedef struct walker {
    mz_machine *machine;
    const mz_edge *edges;
    size_t edge_count;
    bool counts_accesses;
    const mz_choices *valuation; /* of the choices before the first event; NULL: all */
    mz_execution *execution;
    mz_choices choices;
    mz_hash_set seen, found;
    uint8_t from[MOST_HERE], to[MOST_HERE]; /* of each edge: has it happened? */
    uint64_t steps;
    bool goes_wrong;  /* one fails, is pruned or gets stuck */
    bool passed_over; /* a named operation is no event */
    bool learned, too_large;
} walker;

/* *named: that its pending operation is the last one that it has begun. */
static uint32_t begun_by(const walker *w, uint32_t thread, bool *named)
{
    const mz_status *status = w->machine->status;
    bool alive = mz_threads_has(status->ready | status->blocked, thread);
    mz_name name = {.counted = true, .operations = w->execution->thread_length[thread] + alive};
    if (w->machine->class->name_pending)
        w->machine->class->name_pending(w->machine, thread, &name);
    *named = alive && name.counted && (w->counts_accesses || !name.plain);
    return name.operations + (w->counts_accesses ? name.accesses : 0);
}

static bool is_past(const walker *w, mz_plan_wait name)
{
    const mz_status *s = w->machine->status;
    bool named,
        born = mz_threads_has(s->ready | s->blocked | s->finished | s->failed | s->pruned, name.thread);
    uint32_t begun = born ? begun_by(w, name.thread, &named) : 0;
    return begun > name.count || (begun == name.count && !named);
}

static bool is_at(const walker *w, mz_plan_wait name, uint32_t thread)
{
    bool named;
    return name.thread == thread && begun_by(w, thread, &named) == name.count && named;
}

static void look_for_passed_over(walker *w)
{
    for (size_t i = 0; i < w->edge_count; i++)
        w->passed_over |= (w->from[i] == NOT_YET && is_past(w, w->edges[i].from)) ||
                          (w->to[i] == NOT_YET && is_past(w, w->edges[i].to));
}

static bool is_held(const walker *w, uint32_t thread)
{
    for (size_t i = 0; i < w->edge_count; i++)
        if (w->from[i] != OVER && is_at(w, w->edges[i].to, thread))
            return true;
    return false;
}

static void walk(walker *w);

static void take_step(walker *w, uint32_t thread)
{
    uint8_t from_before[MOST_HERE], to_before[MOST_HERE];
    bool from_now[MOST_HERE], to_now[MOST_HERE];
    for (size_t i = 0; i < w->edge_count; i++) {
        from_before[i] = w->from[i];
        to_before[i] = w->to[i];
        from_now[i] = is_at(w, w->edges[i].from, thread);
        to_now[i] = is_at(w, w->edges[i].to, thread);
    }
    mz_operation executed;
    mz_outcome outcome = w->machine->class->step(w->machine, thread, &w->choices, &executed);
    bool stopped = mz_threads_has(w->machine->status->failed | w->machine->status->pruned, thread);
    w->steps++;
    w->learned |= w->machine->begin_again;
    w->too_large |= outcome == MZ_STEP_GIVEN_UP;
    w->goes_wrong |= outcome != MZ_STEP_DONE;
    mz_execution_push(w->execution, thread, &executed, &w->choices);
    for (size_t i = 0; i < w->edge_count; i++) {
        w->from[i] = from_now[i] ? stopped ? FAILED : OVER : w->from[i];
        w->to[i] = to_now[i] ? stopped ? FAILED : OVER : w->to[i];
    }
    walk(w);
    for (size_t i = 0; i < w->edge_count; i++) {
        w->from[i] = from_before[i];
        w->to[i] = to_before[i];
    }
}

static bool is_over(const walker *w)
{
    return w->learned || w->too_large || w->passed_over;
}

/* With all of its choices. */
static void take_steps(walker *w, uint32_t thread, const char *state)
{
    mz_execution *x = w->execution;
    size_t next = 0;
    mz_choices_prescribe(&w->choices, NULL, 0);
    do {
        size_t length = x->length;
        take_step(w, thread);
        const mz_event *event = &x->events[length];
        next = mz_choices_next(x->choices + event->first_choice, event->choice_count);
        if (next > 0)
            mz_choices_prescribe(&w->choices, x->choices + event->first_choice, next);
        mz_execution_pop(x);
        state_restore(w->machine, state, w->execution->length);
    } while (next > 0 && !is_over(w));
}

static void walk(walker *w)
{
    mz_machine *m = w->machine;
    w->too_large |= w->steps > MOST_STEPS || w->execution->length > DEEPEST_RUN;
    look_for_passed_over(w);
    if (is_over(w) || !mz_hash_set_add(&w->seen, mz_identity(w->execution)))
        return;
    mz_threads ready = m->status->ready, held = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(thread, ready | m->status->blocked)
    {
        held |= is_held(w, thread) ? mz_threads_of(thread) : MZ_NO_THREADS;
    }
    if (!mz_threads_any(ready & ~held)) {
        const mz_status *s = m->status;
        w->goes_wrong |=
            mz_threads_any(s->failed | s->pruned) || (mz_threads_any(s->blocked | held) && !s->ended);
        if (!mz_threads_any(s->pruned))
            mz_hash_set_add(&w->found, mz_identity(w->execution));
        return;
    }
    char *state = state_save(m);
    MZ_FOR_EACH_THREAD(thread, ready & ~held)
    {
        if (!is_over(w))
            take_steps(w, thread, state);
    }
    mz_release(state);
}

static void walk_all(walker *w)
{
    size_t next = 0;
    w->too_large = w->edge_count > MOST_HERE;
    w->execution = mz_execution_create(w->machine, true);
    mz_choices_prescribe(&w->choices, w->valuation ? w->valuation->made : NULL,
                         w->valuation ? w->valuation->count : 0);
    do {
        mz_outcome outcome = w->machine->class->reset(w->machine, &w->choices);
        w->goes_wrong |= outcome != MZ_STEP_DONE;
        w->too_large |= outcome == MZ_STEP_GIVEN_UP;
        w->learned |= w->machine->begin_again;
        mz_execution_restart(w->execution, &w->choices);
        walk(w);
        next = 0;
        if (!w->valuation)
            next = mz_choices_next(w->execution->choices, w->execution->initial_choices);
        mz_choices_prescribe(&w->choices, w->execution->choices, next);
    } while (next > 0 && !is_over(w));
    mz_execution_destroy(w->execution);
    mz_release(w->choices.made);
    mz_hash_set_release(&w->seen);
}

/* ---- what an algorithm finds ------------------------------------------------------------------------------
 */

typedef struct visits {
    mz_schedule *schedules;
    size_t count, capacity;
} visits;

static void observe(void *context, mz_search *s, mz_leaf leaf)
{
    visits *v = context;
    if (leaf == MZ_LEAF_BLOCKED || leaf == MZ_LEAF_PRUNED)
        return;
    v->schedules = mz_grow(v->schedules, &v->capacity, v->count + 1, sizeof *v->schedules);
    mz_schedule_copy(&v->schedules[v->count++], s->execution);
}

/* Which trace of the program without constraints is it? Its edges are no part of that. */
static mz_hash identity_of(mz_machine *machine, const mz_schedule *f, mz_execution *x)
{
    mz_choices choices = {0};
    mz_operation executed;
    mz_choices_prescribe(&choices, f->choices, f->initial_choices);
    machine->class->reset(machine, &choices);
    mz_execution_restart(x, &choices);
    for (size_t i = 0, from = f->initial_choices; i < f->length; from = f->choice_ends[i++]) {
        mz_choices_prescribe(&choices, f->choices + from, f->choice_ends[i] - from);
        machine->class->step(machine, f->threads[i], &choices, &executed);
        mz_execution_push(x, f->threads[i], &executed, &choices);
    }
    mz_release(choices.made);
    return mz_identity(x);
}

typedef struct search_result {
    bool again, incomplete, wrong;
} search_result;

static search_result explore(const mz_algorithm *algorithm, const walker *w, uint32_t checks, bool all_errors,
                             visits *v)
{
    mz_search s;
    mz_search_options options = {.checks = checks, .all_errors = all_errors, .sleep_sets = true};
    mz_machine *constrained = mz_constrain(w->machine, w->edges, w->edge_count, w->counts_accesses);
    options.limits.events = MOST_EVENTS;
    options.limits.depth = 2000;
    if (w->valuation) {
        options.one_valuation = true;
        options.valuation = w->valuation->made;
        options.valuation_length = w->valuation->count;
    }
    mz_search_init(&s, constrained, &options);
    s.observe = v ? observe : NULL;
    s.observe_context = v;
    algorithm->run(&s);
    search_result r = {s.begin_again, s.incomplete, s.problem_count > 0 || s.statistics.pruned > 0};
    mz_search_release(&s);
    constrained->class->destroy(constrained);
    return r;
}

static void show(const mz_edge *edges, size_t count, mz_text *out)
{
    for (size_t i = 0; i < count; i++)
        mz_text_add(out, "  %u:%u -> %u:%u", edges[i].from.thread, edges[i].from.count, edges[i].to.thread,
                    edges[i].to.count);
    mz_text_add(out, "\n");
}

/* ---- random sets ------------------------------------------------------------------------------------------
 */

static void compare_with(const mz_algorithm *algorithm, const walker *w, visits *v, mz_text *problem)
{
    mz_hash_set visited = {0};
    size_t extra = 0, repeated = 0;
    mz_execution *x = mz_execution_create(w->machine, true);
    for (size_t i = 0; i < v->count; i++) {
        mz_hash trace = identity_of(w->machine, &v->schedules[i], x);
        extra += !mz_hash_set_has(&w->found, trace);
        repeated += !mz_hash_set_add(&visited, trace);
    }
    mz_execution_destroy(x);
    if (visited.count != w->found.count || extra > 0 || repeated > 0) {
        mz_text_add(problem, " %s under constraints: %zu of %zu traces, %zu that do not exist, %zu again\n",
                    algorithm->name, visited.count - extra, w->found.count, extra, repeated);
        show(w->edges, w->edge_count, problem);
    }
    mz_hash_set_release(&visited);
}

static void release_visits(visits *v)
{
    for (size_t i = 0; i < v->count; i++)
        mz_schedule_release(&v->schedules[i]);
    mz_release(v->schedules);
}

bool sets_compare(mz_machine *machine, uint32_t checks, uint64_t seed, set_tally *tally, mz_text *problem)
{
    static const mz_algorithm *const algorithms[] = {&mz_algorithm_source, &mz_algorithm_optimal,
                                                     &mz_algorithm_eager, &mz_algorithm_dpor};
    mz_edge edges[MOST_EDGES];
    walker w = {.machine = machine, .edges = edges};
    machine->makes_rounds = true; /* as under constraints */
    w.edge_count = edges_choose(machine, seed, edges);
    walk_all(&w);
    bool again = w.learned || machine->begin_again;
    tally->too_large += w.too_large;
    for (size_t i = 0; !again && !w.too_large && i < sizeof algorithms / sizeof *algorithms; i++) {
        visits v = {0};
        search_result r = explore(algorithms[i], &w, checks, true, &v);
        again = r.again;
        if (w.passed_over && !r.incomplete && !r.again)
            mz_text_add(problem, " %s: an operation that is no event was constrained all the same\n",
                        algorithms[i]->name);
        if (!r.again && !r.incomplete && !w.passed_over)
            compare_with(algorithms[i], &w, &v, problem);
        if (i == 0 && !again) {
            tally->compared += !r.incomplete;
            tally->given_up += r.incomplete;
            tally->executions += r.incomplete ? 0 : w.found.count;
        }
        release_visits(&v);
    }
    machine->makes_rounds = false;
    mz_hash_set_release(&w.found);
    return !again || problem->length > 0;
}

/* ---- small sets -------------------------------------------------------------------------------------------
 */

typedef struct minimising {
    walker w; /* the machine, and how it counts */
    uint32_t checks;
    bool again, gave_up;
} minimising;

static mz_trial verify(void *context, const mz_edges *set)
{
    minimising *m = context;
    m->w.edges = set->edges;
    m->w.edge_count = set->count;
    search_result r = explore(&mz_algorithm_optimal, &m->w, m->checks, false, NULL);
    m->again |= r.again;
    m->gave_up |= r.incomplete && !r.wrong;
    return r.again ? MZ_TRIAL_NO_TIME : r.incomplete || r.wrong ? MZ_TRIAL_UNSAFE : MZ_TRIAL_SAFE;
}

/* Does any execution under the edges, but for one of them, go wrong? `without`: none left out if it is their
 * number. */
static walker walk_without(const minimising *m, const mz_edges *set, size_t without)
{
    mz_edge edges[MOST_HERE];
    walker w = {.machine = m->w.machine,
                .edges = edges,
                .counts_accesses = m->w.counts_accesses,
                .valuation = m->w.valuation};
    for (size_t i = 0; i < set->count && w.edge_count < MOST_HERE; i++)
        if (i != without)
            edges[w.edge_count++] = set->edges[i];
    walk_all(&w);
    mz_hash_set_release(&w.found);
    w.edges = NULL;
    return w;
}

static void check_set(minimising *m, const mz_minimisation *result, set_tally *tally, mz_text *problem)
{
    const mz_edges *set = &result->set;
    walker w = walk_without(m, set, set->count);
    m->again |= w.learned;
    if (w.learned || w.too_large) {
        tally->too_large += w.too_large;
        return;
    }
    size_t length = problem->length;
    if (w.goes_wrong || w.passed_over)
        mz_text_add(problem, " a constraint set that is not enough: %s\n",
                    w.goes_wrong ? "an execution fails or gets stuck" : "what it names is no event");
    for (size_t i = 0; i < set->count && !m->again && !m->gave_up; i++) {
        w = walk_without(m, set, i);
        m->again |= w.learned;
        if (!w.learned && !w.too_large && !w.goes_wrong)
            mz_text_add(problem, " edge %zu of the constraint set is not needed\n", i + 1);
    }
    if (problem->length > length && !m->again)
        show(set->edges, set->count, problem);
    tally->not_minimal += m->gave_up;
    tally->minimised++;
    tally->for_valuations += m->w.valuation != NULL;
    tally->edges_after += set->count;
}

bool sets_minimise(mz_machine *machine, uint32_t checks, const mz_plan *plan, const mz_choices *valuation,
                   mz_edges *found, set_tally *tally, mz_text *problem)
{
    minimising m = {
        .w = {.machine = machine, .counts_accesses = plan->counts_accesses, .valuation = valuation},
        .checks = checks | (MZ_FAILURES_ALL & ~(1u << MZ_FAIL_ASSERTION))};
    mz_edges first = {0};
    mz_minimisation result = {.plan = plan, .verify = verify, .context = &m};
    mz_edges_of_plan(plan, &first);
    mz_minimise(&result);
    tally->refused += !result.has_set && !m.again;
    if (result.has_set && !m.again) {
        tally->edges_before += first.count;
        check_set(&m, &result, tally, problem);
    }
    mz_edges_release(&first);
    if (!result.has_set)
        mz_edges_release(&result.set);
    *found = result.set;
    return !m.again || problem->length > 0;
}
