#include "oracle/plans.h"

#include <string.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "machine/identity.h"
#include "oracle/states.h"
#include "safe/plan/extract.h"
#include "safe/plan/trace_order.h"
#include "safe/verify/first_trace_rules.h"

enum { MOST_EVENTS = 300000, MOST_STEPS = 100000, SEEN = 40 };

typedef struct handed_out {
    size_t depth;
    size_t traces; /* explored by then */
} handed_out;

typedef struct trial {
    mz_machine *machine;
    const mz_algorithm *algorithm;
    mz_plan plan;
    mz_extraction extraction;
    bool has_plan, differs;
    const mz_choices *valuation; /* of the choices before the first event; NULL: all of them */
    uint64_t allowed;            /* executions, when nothing is constrained any more */
    mz_schedule first;
    mz_access *touched; /* by the events of the first trace, one after the other */
    uint32_t *touched_from;
    uint64_t overtaken;
    handed_out *prefixes;
    size_t prefix_count, prefix_capacity;
    mz_hash *traces;
    size_t trace_count, trace_capacity;
    /* of one enumeration: */
    uint32_t prefix;
    mz_execution *execution;
    mz_hash_set seen, verified, found;
    uint32_t done[MZ_PLAN_MOST_THREADS], needed[MZ_PLAN_MOST_THREADS]; /* counts */
    mz_threads held; /* they go on when the prefix is complete */
    mz_choices choices;
    uint64_t steps;
    bool learned;
    const mz_edges *set;                 /* that was found for the shortest prefix; NULL: none yet */
    uint32_t last[MZ_PLAN_MOST_THREADS]; /* counts: of each thread the last one in that prefix */
    mz_text *problem;
} trial;

/* ---- the search -----------------------------------------------------------------------------------------
 */

static void observe(void *context, mz_search *s, mz_leaf leaf)
{
    trial *t = context;
    if (leaf == MZ_LEAF_BLOCKED)
        return;
    t->traces = mz_grow(t->traces, &t->trace_capacity, t->trace_count + 1, sizeof *t->traces);
    t->traces[t->trace_count++] = mz_identity(s->execution);
}

static void note_touched(trial *t, const mz_execution *x)
{
    uint32_t count = 0;
    mz_release(t->touched);
    mz_release(t->touched_from);
    for (size_t i = 0; i < x->length; i++)
        count += x->events[i].access_count;
    t->touched = mz_allocate_zeroed(count + 1, sizeof *t->touched);
    t->touched_from = mz_allocate_zeroed(x->length + 1, sizeof *t->touched_from);
    count = 0;
    for (size_t i = 0; i < x->length; i++) {
        for (uint32_t k = 0; k < x->events[i].access_count; k++)
            t->touched[count++] = x->records[x->events[i].first_access + k].access;
        t->touched_from[i + 1] = count;
    }
}

/* What is chosen before the first event is an input if there is a plan for each of its values. Choices of
 * models have no names, and nothing could be said of them. */
static void name_inputs(const trial *t, mz_execution *x)
{
    for (size_t i = 0; t->valuation && i < x->initial_choices; i++)
        if (!x->choices[i].name)
            x->choices[i].name = late_input_name(i);
}

static void begin(void *context, mz_search *s)
{
    trial *t = context;
    name_inputs(t, s->execution);
    mz_schedule_copy(&t->first, s->execution);
    note_touched(t, s->execution);
    t->has_plan = mz_plan_extract(&t->plan, &t->extraction, s->machine, s->execution, 0, false);
    t->differs = !t->has_plan;
}

static void shrink(void *context, mz_search *s, size_t depth)
{
    trial *t = context;
    (void)s;
    if (!t->has_plan || depth > t->extraction.deepest)
        return;
    t->prefixes = mz_grow(t->prefixes, &t->prefix_capacity, t->prefix_count + 1, sizeof *t->prefixes);
    t->prefixes[t->prefix_count++] = (handed_out){depth, t->trace_count};
}

typedef struct search_result {
    bool again, incomplete, has_errors, has_other;
} search_result;

static search_result search(trial *t, uint32_t checks, const mz_schedule *follow, mz_schedule *other)
{
    mz_safe_prefix p = {.follow = follow, .begin = begin, .shrink = shrink, .context = t};
    mz_search s;
    mz_search_options options = {.checks = checks, .all_errors = true, .safe_prefix = &p};
    if (t->valuation) {
        options.one_valuation = true;
        options.valuation = t->valuation->made;
        options.valuation_length = t->valuation->count;
    }
    options.limits.events = MOST_EVENTS;
    options.limits.depth = 2000;
    mz_search_init(&s, t->machine, &options);
    s.observe = observe;
    s.observe_context = t;
    t->algorithm->run(&s);
    search_result r = {s.begin_again, s.incomplete, s.problem_count > 0, p.has_other};
    *other = p.other;
    mz_search_release(&s);
    return r;
}

static void wrong(trial *t, const char *what, uint32_t thread);

/* What is in the prefix that a constraint set was made from keeps to the set, however long the prefix is that
 * is in force: so the program may change over (safe/runtime/follow/runtime_change.c). */
static void compare_with_set(trial *t, uint32_t thread, uint32_t count)
{
    for (size_t i = 0; t->set && count <= t->last[thread] && i < t->set->count; i++) {
        const mz_edge *edge = &t->set->edges[i];
        if (edge->to.thread == thread && edge->to.count == count &&
            t->done[edge->from.thread] < edge->from.count)
            wrong(t, "a constraint of the set is not kept in the prefix", thread);
    }
}

/* ---- all executions that a plan allows -------------------------------------------------------------------
 */

static void wrong(trial *t, const char *what, uint32_t thread)
{
    if (t->problem->length == 0)
        mz_text_add(t->problem, " plan with a prefix of %u of %u: %s (thread %u, after %zu events)\n",
                    t->prefix, t->plan.length, what, thread, t->execution->length);
}

static uint32_t count_of(trial *t, uint32_t thread)
{
    mz_name name = {.operations = t->execution->thread_length[thread] + 1};
    if (t->machine->class->name_pending)
        t->machine->class->name_pending(t->machine, thread, &name);
    return name.operations + (t->plan.counts_accesses ? name.accesses : 0);
}

/* The thread's first event of the plan that has not happened, NULL if there is none. */
static const mz_plan_event *next_entry(const trial *t, uint32_t thread, uint32_t *rank)
{
    for (*rank = 0; *rank < t->plan.event_count; ++*rank) {
        const mz_plan_event *e = &t->plan.events[*rank];
        if (e->thread == thread && e->count > t->done[thread])
            return e;
    }
    return NULL;
}

static bool prefix_is_complete(const trial *t)
{
    for (uint32_t u = 0; u < t->plan.thread_count; u++)
        if (t->done[u] < t->needed[u])
            return false;
    return true;
}

static bool has_waited(const trial *t, const mz_plan_event *e)
{
    for (uint32_t i = 0; i < e->wait_count; i++) {
        mz_plan_wait wait = t->plan.waits[e->first_wait + i];
        if (t->done[wait.thread] < wait.count)
            return false;
    }
    return true;
}

/* From its first event of the first trace on that is not in the prefix. */
static bool is_beyond(const trial *t, uint32_t thread, uint32_t count)
{
    for (size_t i = t->prefix; i < t->plan.event_count; i++)
        if (t->plan.events[i].thread == thread)
            return count >= t->plan.events[i].count;
    return false;
}

/* Of what is still to come of the prefix. The runtime knows less, and lets less overtake. */
static bool is_independent(trial *t, uint32_t thread)
{
    mz_operation pending;
    t->machine->class->pending(t->machine, thread, &pending);
    if (pending.dynamic)
        return false;
    for (uint32_t i = 0; i < t->prefix; i++) {
        const mz_plan_event *e = &t->plan.events[i];
        if (t->done[e->thread] < e->count &&
            mz_accesses_conflict(pending.accesses, pending.access_count, t->touched + t->touched_from[i],
                                 t->touched_from[i + 1] - t->touched_from[i]))
            return false;
    }
    t->overtaken++;
    return true;
}

/* In the first trace the thread has come to its end by then: it has chosen otherwise now. */
static bool is_past_end(const trial *t, uint32_t thread, uint32_t count)
{
    uint32_t ends = thread < t->plan.thread_count ? t->plan.threads[thread].ends : 0;
    return ends > 0 && count >= ends;
}

/* As the runtime decides it. *given: the event of the plan that is about to happen. */
static bool is_allowed(trial *t, uint32_t thread, uint32_t count, const mz_plan_event **given, uint32_t *rank)
{
    *given = NULL;
    if (mz_threads_has(t->held, thread) && !prefix_is_complete(t))
        return false;
    if (is_beyond(t, thread, count))
        return prefix_is_complete(t) || is_independent(t, thread);
    const mz_plan_event *e = next_entry(t, thread, rank);
    if (!e && is_past_end(t, thread, count))
        return prefix_is_complete(t) || is_independent(t, thread);
    if (!e || count < e->count)
        return true; /* nobody looks */
    if (count > e->count) {
        if (*rank < t->prefix)
            wrong(t, "an event of the plan was passed over", thread);
        return true;
    }
    *given = e;
    return has_waited(t, e);
}

static mz_threads all_threads(const mz_status *status)
{
    return status->ready | status->blocked | status->finished | status->failed | status->pruned;
}

/* A thread that has overtaken events of the prefix waits for them before it creates another one. (Here that
 * is there at once, but neither does anything before.) */
static void hold_creator(trial *t, uint32_t thread, mz_threads before)
{
    mz_threads created = all_threads(t->machine->status) & ~before;
    if (mz_threads_any(created))
        t->held |= created | mz_threads_of(thread);
}

static void walk(trial *t);

/* With the choices that are prescribed. */
static void take_step(trial *t, uint32_t thread, uint32_t count, const mz_plan_event *given)
{
    mz_operation executed;
    mz_threads threads = all_threads(t->machine->status), held = t->held;
    bool overtakes = !given && !prefix_is_complete(t);
    compare_with_set(t, thread, count);
    mz_outcome outcome = t->machine->class->step(t->machine, thread, &t->choices, &executed);
    t->steps++;
    if (t->machine->begin_again) {
        t->learned = true;
        wrong(t, "something new is learned below a verified prefix", thread);
        return;
    }
    if (outcome != MZ_STEP_DONE)
        wrong(t, outcome == MZ_STEP_PRUNED ? "an assumption does not hold" : "it fails", thread);
    if (given && executed.kind != given->kind)
        wrong(t, "an operation of another kind than planned", thread);
    uint32_t before = t->done[thread];
    t->done[thread] = count;
    if (overtakes)
        hold_creator(t, thread, threads);
    mz_execution_push(t->execution, thread, &executed, &t->choices);
    if (t->problem->length == 0)
        walk(t);
    t->done[thread] = before;
    t->held = held;
}

/* The choices of the first trace where the event is in the prefix, otherwise all, one after the other. */
static void take_steps(trial *t, uint32_t thread, uint32_t count, const mz_plan_event *given, uint32_t rank,
                       const char *state)
{
    mz_execution *x = t->execution;
    if (given) {
        const mz_schedule *f = &t->first;
        size_t from = rank > 0 ? f->choice_ends[rank - 1] : f->initial_choices;
        mz_choices_prescribe(&t->choices, f->choices + from, f->choice_ends[rank] - from);
    } else {
        mz_choices_prescribe(&t->choices, NULL, 0);
    }
    for (size_t next = 1; next > 0 && t->problem->length == 0;) {
        size_t length = x->length;
        take_step(t, thread, count, given);
        if (x->length == length)
            break;
        const mz_event *event = &x->events[length];
        next = given ? 0 : mz_choices_next(x->choices + event->first_choice, event->choice_count);
        if (next > 0)
            mz_choices_prescribe(&t->choices, x->choices + event->first_choice, next);
        mz_execution_pop(x);
        state_restore(t->machine, state, t->execution->length);
    }
}

static void end(trial *t)
{
    const mz_status *status = t->machine->status;
    mz_hash trace = mz_identity(t->execution);
    if (mz_threads_any(status->failed | status->pruned) ||
        (mz_threads_any(status->blocked) && !status->ended))
        wrong(t, "an execution gets stuck",
              mz_threads_first(status->failed | status->pruned | status->blocked));
    else if (!mz_hash_set_has(&t->verified, trace))
        wrong(t, "an execution that was not verified", 0);
    mz_hash_set_add(&t->found, trace);
}

/* From the state of the machine on. */
static void walk(trial *t)
{
    mz_machine *m = t->machine;
    if (t->execution->length > DEEPEST_RUN)
        t->steps = MOST_STEPS + 1;
    if (t->steps > MOST_STEPS || !mz_hash_set_add(&t->seen, mz_identity(t->execution)))
        return;
    mz_threads ready = m->status->ready;
    if (!mz_threads_any(ready)) {
        end(t);
        return;
    }
    char *state = state_save(m);
    bool any = false;
    MZ_FOR_EACH_THREAD(thread, ready)
    {
        const mz_plan_event *given;
        uint32_t rank, count = count_of(t, thread);
        if (t->problem->length > 0 || !is_allowed(t, thread, count, &given, &rank))
            continue;
        any = true;
        take_steps(t, thread, count, given, rank, state);
    }
    if (!any)
        wrong(t, "nobody is allowed to go on", mz_threads_first(ready));
    mz_release(state);
}

static void note_needed(trial *t)
{
    for (uint32_t u = 0; u < MZ_PLAN_MOST_THREADS; u++)
        t->done[u] = t->needed[u] = 0;
    for (uint32_t i = 0; i < t->prefix; i++)
        t->needed[t->plan.events[i].thread] = t->plan.events[i].count;
}

static void enumerate(trial *t, const handed_out *h)
{
    t->prefix = (uint32_t)h->depth;
    note_needed(t);
    mz_hash_set_clear(&t->seen);
    mz_hash_set_clear(&t->found);
    for (size_t i = 0; i < h->traces; i++)
        mz_hash_set_add(&t->verified, t->traces[i]);
    t->steps = 0;
    /* of the choices before the first event those of the first trace, if anything is constrained, or if it is
     * for these only */
    bool given = t->prefix > 0 || t->valuation;
    for (size_t next = 1; next > 0 && t->problem->length == 0;) {
        if (t->execution->initial_choices == 0 || given)
            mz_choices_prescribe(&t->choices, t->first.choices, given ? t->first.initial_choices : 0);
        t->machine->class->reset(t->machine, &t->choices);
        mz_execution_restart(t->execution, &t->choices);
        walk(t);
        mz_execution *x = t->execution;
        next = given ? 0 : mz_choices_next(x->choices, x->initial_choices);
        mz_choices_prescribe(&t->choices, x->choices, next);
    }
    mz_execution_restart(t->execution, &(mz_choices){0});
}

/* ---- one program ------------------------------------------------------------------------------------------
 */

static void try_prefixes(trial *t, uint64_t traces, plan_tally *tally)
{
    t->execution = mz_execution_create(t->machine, true);
    for (size_t i = 0; i < t->prefix_count && t->problem->length == 0; i++) {
        enumerate(t, &t->prefixes[i]);
        tally->prefixes++;
        tally->executions += t->found.count;
        tally->overtaken += t->overtaken > 0;
        t->overtaken = 0;
        bool whole = t->steps <= MOST_STEPS;
        tally->too_large += !whole;
        if (t->prefix == 0 && whole && traces > 0 && t->problem->length == 0 && t->found.count != traces)
            mz_text_add(t->problem, " a plan without constraints allows %zu of %llu traces\n", t->found.count,
                        (unsigned long long)traces);
        tally->all_verified += t->prefix == 0;
        t->allowed = t->prefix == 0 && whole ? t->found.count : t->allowed;
    }
    mz_execution_destroy(t->execution);
}

/* All prefixes again, with a set beside them. */
static void try_set(trial *t, const mz_edges *set, plan_tally *tally)
{
    if (t->learned || t->problem->length > 0 || set->count == 0)
        return;
    t->set = set;
    memcpy(t->last, t->needed, sizeof t->last);
    t->execution = mz_execution_create(t->machine, true);
    for (size_t i = 0; i < t->prefix_count && t->problem->length == 0; i++)
        enumerate(t, &t->prefixes[i]);
    mz_execution_destroy(t->execution);
    t->set = NULL;
    tally->sets.beside_prefixes++;
}

static void release(trial *t)
{
    mz_plan_release(&t->plan);
    mz_extraction_release(&t->extraction);
    mz_schedule_release(&t->first);
    mz_release(t->touched);
    mz_release(t->touched_from);
    mz_release(t->prefixes);
    mz_release(t->traces);
    mz_release(t->choices.made);
    mz_hash_set_release(&t->seen);
    mz_hash_set_release(&t->verified);
    mz_hash_set_release(&t->found);
}

/* Was the schedule followed to its end, and nothing else? */
static bool is_first(const trial *t, const mz_schedule *chosen)
{
    if (!t->has_plan || t->first.length != chosen->length)
        return false;
    for (size_t i = 0; i < chosen->length; i++)
        if (t->first.threads[i] != chosen->threads[i])
            return false;
    return true;
}

/* An execution by a rule that this program's number decides, in another order of the same trace; an empty
 * one: none, or it does not end well. As a free run, any order of the operations will do. */
static void choose_first(mz_machine *machine, uint64_t number, const mz_choices *valuation,
                         mz_schedule *first)
{
    mz_first_trace which = (mz_first_trace)(number % MZ_FIRST_TRACE_COUNT);
    mz_execution *x = mz_execution_create(machine, true);
    mz_seen seen[SEEN];
    for (uint32_t i = 0; i < SEEN; i++) {
        uint64_t random = mz_mix64(number << 8 | i);
        seen[i] = (mz_seen){.thread = random % 4, .count = (uint32_t)(random >> 8) % 8 + 1};
    }
    mz_plan plan = {0};
    mz_extraction extraction = {0};
    if (which != MZ_FIRST_AUTO &&
        mz_first_trace_run(machine, x, which, &(mz_seen_order){.operations = seen, .count = SEEN},
                           valuation ? valuation->made : NULL, valuation ? valuation->count : 0, 2000) &&
        mz_plan_extract(&plan, &extraction, machine, x, 0, false)) {
        uint32_t *order = mz_allocate_zeroed(x->length, sizeof *order);
        mz_plan_order(&plan, x, 0, 2, order);
        mz_schedule_copy_in_order(first, x, order);
        mz_release(order);
    }
    mz_plan_release(&plan);
    mz_extraction_release(&extraction);
    mz_execution_destroy(x);
}

/* *allowed: how many executions there are when nothing is constrained any more; 0: that did not come. */
static bool try_plan(mz_machine *machine, uint32_t checks, uint64_t traces, const mz_choices *valuation,
                     late_sets *late, plan_tally *tally, uint64_t *allowed, mz_text *problem)
{
    mz_text wrong_here = {0};
    mz_schedule chosen = {0}, other = {0}, ignored = {0};
    trial t = {.machine = machine, .valuation = valuation, .problem = &wrong_here};
    choose_first(machine, tally->programs, valuation, &chosen);
    if (machine->begin_again) {
        mz_schedule_release(&chosen);
        return false;
    }
    t.algorithm =
        traces % 2 ? &mz_algorithm_eager : &mz_algorithm_source; /* the least word is followed by none */
    search_result r = search(&t, checks, chosen.length > 0 ? &chosen : NULL, &other);
    bool has_errors = r.has_errors;
    tally->chosen += t.has_plan && chosen.length > 0;
    if (!r.again && chosen.length > 0 && !is_first(&t, &chosen))
        mz_text_add(&wrong_here, " the execution that was chosen is not the first\n");
    if (r.has_other) {
        t.trace_count = 0;
        r = search(&t, checks, &other, &ignored);
        has_errors = true;
        if (!r.again && !t.has_plan)
            mz_text_add(&wrong_here,
                        " the safe execution that was found is not the first when it is to be followed\n");
    }
    if (t.differs)
        mz_text_add(&wrong_here, " the first trace is not the same when it is repeated\n");
    if (!r.again)
        try_prefixes(&t, has_errors ? 0 : traces, tally);
    if (!r.again && !t.learned && t.prefix_count > 0 && t.prefix > 0 && wrong_here.length == 0) {
        for (int all = 0; all <= (valuation != NULL) && !t.learned; all++) {
            mz_edges set;
            t.plan.prefix = t.prefix;
            t.learned = !sets_minimise(machine, checks, &t.plan, all ? NULL : valuation, &set, &tally->sets,
                                       &wrong_here);
            try_set(&t, &set, tally);
            if (late && !all)
                late_sets_add(late, valuation, &t.plan, &set);
            mz_edges_release(&set);
        }
    } else if (late) {
        t.plan.prefix = t.prefix;
        late_sets_add(late, valuation, t.prefix_count > 0 ? &t.plan : NULL, &(mz_edges){0});
    }
    *allowed = t.allowed;
    tally->programs += !r.again;
    tally->with_bug += has_errors;
    tally->without_plan += t.prefix_count == 0;
    mz_text_add(problem, "%s", mz_text_string(&wrong_here));
    bool again = r.again || t.learned;
    mz_text_release(&wrong_here);
    mz_schedule_release(&chosen);
    mz_schedule_release(&other);
    mz_schedule_release(&ignored);
    release(&t);
    return !again || problem->length > 0;
}

/* Each valuation by itself, as a program with inputs is verified. */
static bool try_valuations(mz_machine *machine, uint32_t checks, uint64_t traces, plan_tally *tally,
                           mz_text *problem)
{
    mz_choices inputs = {0};
    late_sets *late = late_sets_create(machine);
    bool settled = true, all_verified = true;
    uint64_t sum = 0;
    mz_choices_prescribe(&inputs, NULL, 0);
    machine->class->reset(machine, &inputs);
    bool has_inputs = inputs.count > 0;
    for (size_t next = inputs.count; settled && next > 0 && problem->length == 0;) {
        uint64_t allowed;
        settled = try_plan(machine, checks, 0, &inputs, late, tally, &allowed, problem);
        sum += allowed;
        all_verified &= allowed > 0;
        tally->valuations++;
        next = mz_choices_next(inputs.made, inputs.count);
        inputs.prescribed = next;
        inputs.count = 0;
        if (settled && next > 0)
            machine->class->reset(machine, &inputs);
    }
    if (settled && has_inputs && all_verified && traces > 0 && sum != traces)
        mz_text_add(problem, " the valuations of the inputs allow %llu of %llu traces\n",
                    (unsigned long long)sum, (unsigned long long)traces);
    settled = settled && late_sets_try(late, &tally->late, problem);
    late_sets_destroy(late);
    mz_release(inputs.made);
    return settled || problem->length > 0;
}

bool plans_try(mz_machine *machine, uint32_t checks, uint64_t traces, plan_tally *tally, mz_text *problem)
{
    uint64_t allowed;
    return try_plan(machine, checks, traces, NULL, NULL, tally, &allowed, problem) &&
           try_valuations(machine, checks, traces, tally, problem) &&
           (problem->length > 0 ||
            strategies_try(machine, checks, traces, tally->programs, &tally->strategies, problem));
}
