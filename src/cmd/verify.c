#include "cmd/verify.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/memory.h"
#include "cmd/first_trace.h"
#include "cmd/iterations.h"
#include "cmd/result.h"
#include "cmd/run.h"
#include "cmd/verify_sets.h"

/* ---- the worker -------------------------------------------------------------------------------------------
 */

typedef struct verifier {
    const mz_verify_job *job;
    mz_verification *v;
    mz_shared *shared;
    mz_machine *machine;
    mz_settings settings; /* of the search that goes on */
    mz_text hash;         /* of the code */
    mz_cases cases;
    mz_case *now;     /* the one that is being verified */
    uint32_t round;   /* how often all cases have had their turn */
    uint32_t lessons; /* how often the machine has learned something */
    double started;
    mz_limits limits;    /* of all searches together */
    mz_result result;    /* of the last search */
    mz_result with_bugs; /* of the first one that found any, if that is another one */
} verifier;

static void tell(const verifier *w)
{
    char byte = 1;
    if (w->job->changed >= 0 && write(w->job->changed, &byte, 1) < 0)
        return; /* nobody listens, or there is enough to read already */
}

/* ---- plans ----------------------------------------------------------------------------------------------
 */

static bool make_plan(verifier *w, const mz_execution *trace, mz_plan *plan, mz_extraction *extraction)
{
    /* What races has to be kept in order, and fenced, wherever it is, also if T itself has none of it. */
    plan->needs_fences = mz_native_has_races(w->machine);
    plan->counts_accesses |= plan->needs_fences;
    if (!mz_plan_extract(plan, extraction, w->machine, trace, true))
        return false;
    for (uint32_t t = 1; t < plan->thread_count; t++)
        mz_native_birth(w->machine, t, &plan->threads[t].parent, &plan->threads[t].child);
    plan->hash = mz_text_string(&w->hash);
    mz_plan_describe_program(plan, w->job->settings);
    return true;
}

/* Replace what was there, unless it is in use. */
static bool withdraw(verifier *w)
{
    uint32_t expected = MZ_HAS_PLAN;
    return atomic_compare_exchange_strong(&w->v->state, &expected, MZ_NO_PLAN) || expected == MZ_NO_PLAN;
}

/* A plan is in use, and the search has begun again, with another first trace. What it finds out about the
 * events that both have in common from the beginning goes for the plan as well: the executions that begin
 * with them are the same. Unless it has found races: what runs does not have the fences for those. */
static void compare_with_plan(mz_case *c, const mz_plan *other)
{
    const mz_plan *plan = other->counts_accesses && !c->plan.counts_accesses ? &c->counting : &c->plan;
    bool comparable =
        other->counts_accesses == plan->counts_accesses && (plan->needs_fences || !other->needs_fences);
    c->common = comparable ? mz_plans_common(plan, other) : 0;
    c->is_other = true;
}

/* The plans of all cases as a text that both processes see; NULL if that is not possible. `all`: with all of
 * their traces, of which the prefixes, apart, will say how much holds. */
static const char *share_text(verifier *w, bool all, size_t *length)
{
    const char *shared = NULL;
    mz_text text = {0}, obstacle = {0};
    mz_symbolic_plan symbolic;
    bool combined = mz_cases_combine(&w->cases, &symbolic, &obstacle);
    symbolic.nondet_low = w->settings.nondet_low;
    symbolic.nondet_high = w->settings.nondet_high;
    if (combined) {
        for (size_t i = 0; all && i < symbolic.plan_count; i++) {
            atomic_store(&w->v->prefixes[i], symbolic.plans[i].prefix);
            symbolic.plans[i].prefix = symbolic.plans[i].length;
        }
        mz_symbolic_text(&symbolic, &text);
        shared = mz_share_bytes(w->shared, mz_text_string(&text), text.length + 1);
        *length = text.length;
    } else {
        snprintf(w->v->obstacle, sizeof w->v->obstacle, "%s", mz_text_string(&obstacle));
    }
    mz_cases_combined_release(&symbolic);
    mz_text_release(&text);
    mz_text_release(&obstacle);
    return shared;
}

static bool share_plan(verifier *w)
{
    w->v->length = 0;
    w->v->text = share_text(w, true, &w->v->length);
    return w->v->text;
}

/* From now on the plan may be used, if every case has one. Not at once: most of what makes a search begin
 * again is learned soon, and a plan that is in use profits little from another search. */
static void offer(verifier *w)
{
    if (!mz_cases_are_offered(&w->cases) || atomic_load(&w->v->state) != MZ_NO_PLAN || !share_plan(w))
        return;
    atomic_store(&w->v->state, MZ_HAS_PLAN);
    tell(w);
}

/* ---- one search -----------------------------------------------------------------------------------------
 */

/* Its trace, to be followed, and with which inputs it begins. */
static void note_first(verifier *w, mz_case *c, const mz_execution *trace)
{
    mz_schedule_release(&c->first);
    mz_schedule_copy(&c->first, trace);
    mz_release(c->inputs);
    c->input_count = trace->initial_choices;
    c->inputs = mz_allocate_zeroed(c->input_count, sizeof *c->inputs);
    for (size_t i = 0; i < c->input_count; i++)
        c->inputs[i] = trace->choices[i];
    c->lessons = w->lessons;
}

/* Is it the trace that the case has already? */
static bool is_known(const mz_case *c, const mz_plan *plan)
{
    return c->plan.event_count > 0 && c->plan.counts_accesses == plan->counts_accesses &&
           c->plan.needs_fences == plan->needs_fences && c->plan.event_count == plan->event_count &&
           c->plan.length == plan->length && mz_plans_common(&c->plan, plan) == plan->length;
}

/* The plan of the case, from now on. */
static bool use_plan(verifier *w, mz_case *c, const mz_execution *trace, mz_plan *plan,
                     mz_extraction *extraction)
{
    mz_extraction ignored = {0};
    mz_case_forget(c);
    c->plan = *plan;
    c->extraction = *extraction;
    c->is_other = false;
    c->traces = 0;
    c->share = 0;
    bool same = true;
    if (c->input_count > 0 && !plan->counts_accesses) {
        c->counting.counts_accesses = true;
        same = make_plan(w, trace, &c->counting, &ignored);
        mz_extraction_release(&ignored);
    }
    return same;
}

/* The first trace is there. */
static void begin(void *context, mz_search *s)
{
    verifier *w = context;
    mz_case *c = w->now;
    mz_plan plan = {0};
    mz_extraction extraction = {0};
    bool same = make_plan(w, s->execution, &plan, &extraction);
    bool known = same && is_known(c, &plan);
    c->begun_at = s->statistics.executions;
    if (same)
        note_first(w, c, s->execution);
    if (same && !known && withdraw(w)) {
        same = use_plan(w, c, s->execution, &plan, &extraction);
    } else {
        if (known)
            c->is_other = false;
        else if (same)
            compare_with_plan(c, &plan);
        mz_extraction_release(&c->current);
        c->current = extraction;
        mz_plan_release(&plan);
    }
    if (!same)
        mz_search_stop(s, "the program does not do the same when the same schedule is repeated");
}

/* While somebody measures. Who watches the worker sees that it is well. If the one who measures is gone, it
 * is not waited for. */
static void rest_if_asked(const verifier *w)
{
    enum { MILLISECONDS = 5, LONGEST = 120 };
    double begun = mz_seconds_now();
    uint32_t asked = MZ_SHOULD_REST;
    while (atomic_load(&w->v->rest) != MZ_AT_WORK && mz_seconds_now() - begun < LONGEST) {
        atomic_compare_exchange_strong(&w->v->rest, &asked, MZ_RESTS);
        asked = MZ_SHOULD_REST;
        w->shared->flight.pulse++;
        poll(NULL, 0, MILLISECONDS);
    }
}

static bool has_enough(const verifier *w, uint32_t prefix)
{
    const mz_settings *s = w->job->settings;
    rest_if_asked(w);
    return atomic_load(&w->v->enough) ||
           (s->has_constraints && mz_plan_constraints(&w->now->plan, prefix) <= s->constraints);
}

static void note_traces(verifier *w, uint64_t traces, double share)
{
    uint64_t all = 0;
    double sum = 0;
    w->now->traces = traces > w->now->traces ? traces : w->now->traces;
    w->now->share = share > w->now->share ? share : w->now->share;
    for (size_t i = 0; i < w->cases.count; i++) {
        all += w->cases.items[i].traces;
        sum += w->cases.items[i].share;
    }
    atomic_store(&w->v->traces, all);
    if (w->cases.all_met)
        atomic_store(&w->v->share, (uint64_t)(sum / (double)w->cases.count * 1e6));
}

/* A program with inputs: first of all every case gets a trace, then each is looked at for a moment. */
enum { FIRST_ROUND, SHORT_ROUND, LONG_ROUNDS };
enum { SOON = 16 }; /* executions */

static void shrink(void *context, mz_search *s, size_t depth)
{
    verifier *w = context;
    mz_case *c = w->now;
    const mz_extraction *e = c->is_other ? &c->current : &c->extraction;
    uint32_t prefix = (uint32_t)depth;
    note_traces(w, s->statistics.traces, 0);
    if (depth > e->deepest || (c->is_other && prefix > c->common))
        return;
    bool changed = !c->offered || prefix < c->prefix;
    c->prefix = changed ? prefix : c->prefix;
    c->offered = true;
    bool has_inputs = c->input_count > 0;
    if (!has_inputs)
        w->cases.all_met = true;
    if (!has_inputs && s->statistics.executions - c->begun_at >= SOON)
        offer(w);
    if (changed && atomic_load(&w->v->state) != MZ_NO_PLAN) {
        atomic_store(&w->v->prefixes[c->number], mz_cases_prefix(&w->cases, c->number));
        tell(w);
    }
    if (has_enough(w, prefix))
        s->stop = c->done = true;
    if (has_inputs && w->round == FIRST_ROUND)
        s->stop = true;
}

static void show_progress(void *context, const mz_progress *progress)
{
    verifier *w = context;
    note_traces(w, progress->traces, progress->share_done);
    if (w->now->input_count == 0)
        offer(w);
    tell(w);
    rest_if_asked(w);
    if (atomic_load(&w->v->enough))
        mz_interrupted = true; /* as if the user had ended it */
}

static const mz_algorithm *algorithm_of(const mz_settings *settings)
{
    return settings->algorithm_count > 0 ? settings->algorithms[0] : &mz_algorithm_source;
}

static void search(verifier *w, mz_safe_prefix *p)
{
    mz_case *c = w->now;
    *p = (mz_safe_prefix){
        .follow = c->first.length > 0 ? &c->first : NULL, .begin = begin, .shrink = shrink, .context = w};
    w->result = (mz_result){0};
    mz_settings *settings = &w->settings;
    settings->search.safe_prefix = p;
    settings->search.one_valuation = true;
    settings->search.valuation = c->inputs;
    settings->search.valuation_length = c->input_count;
    settings->search.limits.progress = show_progress;
    settings->search.limits.progress_context = w;
    settings->search.limits.seconds_before = mz_seconds_now() - w->started;
    const mz_algorithm *algorithm =
        w->machine->has_boundaries ? &mz_algorithm_source : algorithm_of(settings);
    mz_result_run(&w->result, w->machine, settings, settings->files[0], algorithm);
}

/* ---- one case after the other ---------------------------------------------------------------------------
 */

static void prepare(verifier *w)
{
    mz_native_prepare(w->machine);
    mz_share_ground(w->machine, w->shared);
}

/* Which trace is to be the first of the case. Finding out may teach the machine something, which makes it
 * worthless. */
static void choose_first(verifier *w)
{
    const mz_settings *settings = w->job->settings;
    mz_case *c = w->now;
    mz_first_choice choice = {0};
    while (algorithm_of(settings) == &mz_algorithm_source) { /* eager has one of its own */
        mz_seen_order seen = {0};
        if (w->machine->has_boundaries)
            return;
        if (settings->free_run)
            mz_run_record_order(settings->free_run, w->machine, &seen);
        mz_first_wish wish = {.which = settings->first_trace,
                              .seen = settings->free_run ? &seen : NULL,
                              .valuation = c->inputs,
                              .valuation_length = c->input_count};
        mz_choose_first(w->machine, &wish, &settings->search.limits, &choice);
        mz_release(seen.operations);
        if (!w->machine->begin_again)
            break;
        mz_schedule_release(&choice.schedule);
        w->lessons++;
        prepare(w);
    }
    mz_schedule_release(&c->first);
    c->first = choice.schedule;
    c->lessons = w->lessons;
    atomic_store(&w->v->first_trace, choice.which);
    w->v->cost = choice.cost;
}

/* The errors that were found first are the ones that are reported. */
static void drop_result(verifier *w)
{
    if (w->result.report.error_count > 0 && !w->with_bugs.search.machine) {
        w->with_bugs = w->result;
        w->with_bugs.report.counts = w->with_bugs.counts;
    } else {
        mz_result_release(&w->result);
    }
    w->result = (mz_result){0};
}

/* Searches until one has a safe trace first, or there is none, or the time is up. */
static void search_case(verifier *w)
{
    for (;;) {
        mz_safe_prefix p;
        mz_case *c = w->now;
        if (c->first.length == 0 || c->lessons != w->lessons)
            choose_first(w);
        if (w->machine->has_boundaries) /* there is no trace to begin with: see plan_iterations() */
            return;
        search(w, &p);
        if (w->result.search.begin_again) { /* the machine has learned something: all anew */
            mz_result_release(&w->result);
            mz_schedule_release(&p.other);
            w->lessons++;
            prepare(w);
            continue;
        }
        c->done |= !w->result.search.stop || p.exhausted;
        note_traces(w, w->result.search.statistics.traces, w->result.report.share_done);
        if (!p.has_other)
            return;
        drop_result(w);
        mz_schedule_release(&c->first);
        c->first = p.other;
        c->lessons = w->lessons;
    }
}

static bool is_over(const verifier *w)
{
    return mz_interrupted || w->machine->has_boundaries ||
           (w->limits.seconds > 0 && mz_seconds_now() - w->started >= w->limits.seconds);
}

/* Seconds: in each round four times as many as in the one before; but what is left is for all. */
static double slice_of(const verifier *w, double now)
{
    double slice = 0.25, left = w->limits.seconds - now;
    size_t todo = 0;
    for (uint32_t i = LONG_ROUNDS; i < w->round && slice < 1e6; i++)
        slice *= 4;
    for (const mz_case *c = w->now; c < w->cases.items + w->cases.count; c++)
        todo += !c->done;
    return w->limits.seconds > 0 && left < slice * (double)todo ? left / (double)todo : slice;
}

/* Limits for a turn of one case; the user's own still hold. */
static void limit_turn(verifier *w)
{
    const mz_limits *given = &w->limits;
    mz_limits *limits = &w->settings.search.limits;
    *limits = *given;
    if (w->round == SHORT_ROUND && (given->traces == 0 || given->traces > SOON))
        limits->traces = SOON;
    if (w->round < LONG_ROUNDS)
        return;
    double now = mz_seconds_now() - w->started, slice = slice_of(w, now);
    if (given->seconds <= 0 || now + slice < given->seconds)
        limits->seconds = now + slice;
}

/* A turn that ends early for the user's limits has nothing to go on for. */
static void end_turn(verifier *w)
{
    const mz_limits *given = &w->limits, *limits = &w->settings.search.limits;
    bool stopped = w->result.search.stop && w->result.search.incomplete && w->round != FIRST_ROUND;
    bool of_turn = limits->traces != given->traces || limits->seconds != given->seconds;
    w->now->done |= stopped && !of_turn;
}

/* Another value of the inputs has no plan: then there is none at all. */
static void give_up_case(verifier *w)
{
    mz_text text = {0};
    mz_case_describe(w->now, &text);
    if (w->now->input_count > 0)
        snprintf(w->v->valuation, sizeof w->v->valuation, "%s", mz_text_string(&text));
    mz_text_release(&text);
}

/* Every valuation of the inputs, until each has a trace. The one of a program without inputs is verified to
 * the end with that. */
static bool meet_cases(verifier *w)
{
    while ((w->now = mz_cases_next(&w->cases))) {
        if (mz_cases_are_too_many(&w->cases)) {
            snprintf(w->v->obstacle, sizeof w->v->obstacle,
                     "the inputs have too many different values together: narrow their ranges");
            return false;
        }
        if (w->cases.count > 1)
            drop_result(w);
        limit_turn(w);
        search_case(w);
        snprintf(w->v->obstacle, sizeof w->v->obstacle, "%s", mz_text_string(&w->now->extraction.obstacle));
        if (!w->now->offered)
            give_up_case(w);
        if (!w->now->offered || is_over(w))
            return mz_cases_are_offered(&w->cases);
    }
    return true;
}

static void verify_cases(verifier *w)
{
    if (!meet_cases(w) || (w->cases.count == 1 && w->cases.items[0].input_count == 0))
        return;
    bool more = true;
    for (w->round = SHORT_ROUND; more && !is_over(w); w->round++) {
        more = false;
        if (w->round == LONG_ROUNDS)
            offer(w);
        for (size_t i = 0; i < w->cases.count && !is_over(w); i++) {
            w->now = &w->cases.items[i];
            if (w->now->done)
                continue;
            drop_result(w);
            limit_turn(w);
            search_case(w);
            end_turn(w);
            more |= !w->now->done;
        }
    }
}

static bool has_bug(const verifier *w)
{
    return w->result.report.error_count > 0 || w->with_bugs.report.error_count > 0;
}

/* Fewer constraints for what is handed out, in the time that is left. Until they are there, it is what it
 * was. */
static void minimise(verifier *w)
{
    double seconds = w->job->settings->search.limits.seconds;
    bool any = false;
    for (size_t i = 0; i < w->cases.count; i++)
        any |= w->cases.items[i].prefix > 0;
    if (w->job->settings->minimise && any && mz_cases_are_offered(&w->cases))
        mz_cases_minimise(&w->cases, w->job->settings, w->machine, seconds > 0 ? w->started + seconds : 0,
                          &w->v->minimised);
}

/* A program that does not end has no first trace, but iterations. */
static void plan_iterations(verifier *w)
{
    const mz_settings *settings = w->job->settings;
    double seconds = settings->search.limits.seconds;
    mz_plan plan = {0};
    mz_text text = {0}, obstacle = {0};
    if (mz_plan_iterations(settings, w->machine, seconds > 0 ? w->started + seconds : 0, &w->result, &plan,
                           &w->v->minimised, &obstacle)) {
        plan.hash = mz_text_string(&w->hash);
        mz_plan_describe_program(&plan, settings);
        mz_symbolic_plan symbolic = {.plans = &plan,
                                     .plan_count = 1,
                                     .nondet_low = settings->nondet_low,
                                     .nondet_high = settings->nondet_high};
        mz_symbolic_text(&symbolic, &text);
        w->v->text = mz_share_bytes(w->shared, mz_text_string(&text), text.length + 1);
        w->v->length = w->v->text ? text.length : 0;
        atomic_store(&w->v->prefixes[0], plan.prefix);
        atomic_store(&w->v->state, w->v->text ? MZ_HAS_PLAN : MZ_NO_PLAN);
    }
    snprintf(w->v->obstacle, sizeof w->v->obstacle, "%s", mz_text_string(&obstacle));
    mz_text_release(&text);
    mz_text_release(&obstacle);
    mz_plan_release(&plan);
}

/* With what is known now, equal plans may be more. */
static void offer_finally(verifier *w)
{
    if (mz_cases_are_offered(&w->cases) && withdraw(w))
        offer(w);
}

/* A program that is known to be broken keeps constraints for good, so they are to be few. The plan may be in
 * use already: the set is handed out beside it. */
static void look_for_set(verifier *w)
{
    if (!has_bug(w))
        return;
    minimise(w);
    w->v->set_text = w->v->minimised.has_set ? share_text(w, false, &w->v->set_length) : NULL;
    atomic_store(&w->v->has_set, w->v->set_text != NULL);
    tell(w);
}

static void report(verifier *w)
{
    mz_report *report = &w->result.report;
    const char *lines[8];
    report->assumption_count = mz_native_assumptions(w->machine, lines, 8);
    report->assumptions = lines;
    if (report->error_count == 0 && w->with_bugs.report.error_count > 0) {
        report->errors = w->with_bugs.report.errors;
        report->error_count = w->with_bugs.report.error_count;
    }
    if (w->v->minimised.has_set) { /* under which all is verified */
        atomic_store(&w->v->share, 1000000);
        atomic_store(&w->v->traces, w->v->minimised.traces);
    }
    mz_share_report(w->shared, report);
    atomic_store(&w->v->reported, true);
    tell(w);
}

void mz_verify(const void *context, mz_shared *shared)
{
    const mz_verify_job *job = context;
    verifier w = {.job = job,
                  .v = job->verification,
                  .shared = shared,
                  .settings = *job->settings,
                  .limits = job->settings->search.limits,
                  .started = mz_seconds_now()};
    mz_error error = {0};
    w.machine = mz_native_load(&w.settings, job->compiled, shared);
    if (!w.machine)
        return;
    mz_native_record(w.machine, &shared->flight);
    mz_compiled_hash(job->compiled, &w.hash, &error);
    mz_error_release(&error);
    if (job->settings->minimise && !job->beside) /* if no bug ends the search, there is still time for it */
        w.limits.seconds /= 2;
    atomic_store(&w.v->worker, (int)getpid());
    prepare(&w);
    if (!w.machine->has_boundaries)
        verify_cases(&w);
    if (w.machine->has_boundaries) {
        plan_iterations(&w);
    } else {
        if (!job->beside)
            minimise(&w);
        offer_finally(&w);
    }
    report(&w);
    if (job->beside && !w.machine->has_boundaries)
        look_for_set(&w);
    atomic_store(&w.v->worker, -1);
}
