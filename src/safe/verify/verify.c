#include "safe/verify/verify_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "safe/verify/first_trace_choice.h"
#include "safe/verify/free_run.h"
#include "safe/verify/iterations.h"
#include "safe/verify/verify_sets.h"
#include "session/learn.h"

/* ---- one case after the other ---------------------------------------------------------------------------
 */

/* What the machine has learned since that was told last. */
static void tell_ground(mz_verifier *w)
{
    if (w->told == w->restarts)
        return;
    w->told = w->restarts;
    mz_share_ground(w->machine, w->shared);
}

/* The machine has learned something: a first trace that was found before is worth nothing. */
static bool note_lesson(mz_verifier *w, bool learned)
{
    w->restarts += learned;
    return learned;
}

/* What is to be followed. If inputs are read on the way, each of their valuations is a case. */
static void use_strategy(mz_verifier *w, mz_strategy *strategy, bool is_for_all)
{
    mz_case *c = w->now;
    size_t number = (size_t)(c - w->cases.items);
    if (is_for_all && strategy->reads_later) {
        mz_cases_branch(&w->cases, w->machine, number, strategy, w->restarts);
        w->now = &w->cases.items[number];
        return;
    }
    mz_schedule_release(&c->first);
    if (strategy->count > 0) {
        c->first = strategy->leaves[0];
        strategy->leaves[0] = (mz_schedule){0};
    }
    c->restarts = w->restarts;
    mz_strategy_release(strategy);
}

/* What was recorded is followed by its own names. */
static void use_recorded_names(mz_verifier *w, bool begins)
{
    const mz_symbolic_plan *names = w->job->settings->free_run_names;
    if (!names || !names->names_racing_lines)
        return;
    bool again = w->machine->begin_again;
    if (begins)
        mz_native_count_lines(w->machine, names->lines, names->line_count);
    else
        mz_native_count_all_lines(w->machine);
    mz_native_prepare(w->machine);
    w->machine->begin_again = again;
}

static bool try_to_choose(void *context)
{
    enum { LONGEST_SEARCH = 30 }; /* seconds, for a strategy, if no limit is given */
    mz_verifier *w = context;
    const mz_plan_settings *settings = w->job->settings;
    mz_case *c = w->now;
    mz_seen_order seen = {.counts_accesses = settings->free_run_counts_accesses};
    tell_ground(w);
    mz_strategy_release(&w->choice.strategy);
    w->choice = (mz_first_choice){0};
    if (w->machine->has_boundaries)
        return false;
    use_recorded_names(w, true);
    if (settings->free_run)
        mz_free_run_order(settings->free_run, w->machine, &seen);
    mz_first_goal goal = {.which = settings->first_trace,
                          .seen = settings->free_run ? &seen : NULL,
                          .valuation = c->inputs,
                          .valuation_length = c->input_count,
                          .must_search = c->searched,
                          .until = w->limits.seconds > 0 ? w->started + w->limits.seconds / 2
                                                         : mz_seconds_now() + LONGEST_SEARCH};
    mz_choose_first(w->machine, &goal, &settings->check.search.limits, &w->choice);
    mz_release(seen.operations);
    use_recorded_names(w, false);
    return note_lesson(w, w->machine->begin_again);
}

/* Which trace is to be the first of the case. Finding out may teach the machine something, which makes it
 * worthless. */
static void choose_first(mz_verifier *w)
{
    w->choice = (mz_first_choice){0};
    if (mz_verifier_algorithm(&w->job->settings->check)->takes_first_trace) /* others have their own */
        mz_learn(w->machine, mz_native_prepare, true, try_to_choose, w);
    if (w->machine->has_boundaries)
        return;
    atomic_store(&w->v->first_trace, w->choice.which);
    w->v->cost = w->choice.cost;
    w->now->trouble = w->choice.trouble;
    use_strategy(w, &w->choice.strategy, w->choice.is_for_all);
    w->choice = (mz_first_choice){0};
}

/* The errors that were found first are the ones that are reported. */
static void drop_result(mz_verifier *w)
{
    if (w->result.report.error_count > 0 && !w->with_bugs.search.machine) {
        w->with_bugs = w->result;
        w->with_bugs.report.counts = w->with_bugs.counts;
    } else {
        mz_result_release(&w->result);
    }
    w->result = (mz_result){0};
}

/* The machine has learned something. The leaves of a strategy have to be of one and the same program, so all
 * begin anew; if their plan is in use, it stays as it is. */
static void forget_leaves(mz_verifier *w)
{
    w->again = mz_verifier_withdraw(w);
    for (size_t i = 0; i < w->cases.count; i++)
        w->cases.items[i].done = true;
}

static bool is_stale(const mz_verifier *w, const mz_case *c)
{
    return c->restarts != w->restarts;
}

/* A search has found a safe execution, which is to be the first one of the next. But if inputs are read in
 * it, it is not enough. */
static void use_other(mz_verifier *w, mz_schedule *other)
{
    mz_case *c = w->now;
    drop_result(w);
    if (mz_schedule_last_read(w->machine, other, SIZE_MAX) > 0 && !c->searched) {
        c->searched = true;
        choose_first(w);
        if (w->now->is_leaf) {
            mz_schedule_release(other);
            return;
        }
    }
    c = w->now;
    mz_schedule_release(&c->first);
    c->first = *other;
    c->restarts = w->restarts;
}

/* What the search has come to. */
static void note_end(mz_verifier *w, const mz_safe_prefix *p)
{
    mz_case *c = w->now;
    c->done |= !w->result.search.stop || p->exhausted || p->finished;
    mz_verifier_note_traces(w, w->result.search.statistics.traces, w->result.report.share_done);
    c->complete = p->finished && c->offered && c->prefix == c->fixed;
    if (c->complete)
        mz_cases_join(&w->cases, w->machine, c);
}

/* False: there is nothing to search. */
static bool has_first(mz_verifier *w)
{
    if (!w->now->is_leaf && (w->now->first.length == 0 || is_stale(w, w->now)))
        choose_first(w);
    if (w->machine->has_boundaries) /* there is no trace to begin with: see plan_iterations() */
        return false;
    if (w->now->is_leaf && is_stale(w, w->now)) {
        forget_leaves(w);
        return false;
    }
    return true;
}

static bool try_to_search(void *context)
{
    mz_verifier *w = context;
    tell_ground(w);
    w->searched = has_first(w);
    if (!w->searched)
        return false;
    mz_verifier_search(w, &w->safe_prefix);
    if (!note_lesson(w, w->result.search.begin_again))
        return false;
    mz_result_release(&w->result);
    mz_schedule_release(&w->safe_prefix.other);
    return true;
}

/* Searches until one has a safe trace first, or there is none, or the time is up. */
static void search_case(mz_verifier *w)
{
    for (;;) {
        mz_learn(w->machine, mz_native_prepare, true, try_to_search, w);
        if (!w->searched)
            return;
        note_end(w, &w->safe_prefix);
        if (!w->safe_prefix.has_other || w->now->is_leaf)
            return;
        use_other(w, &w->safe_prefix.other);
    }
}

static bool is_over(const mz_verifier *w)
{
    return mz_interrupted || w->machine->has_boundaries ||
           (w->limits.seconds > 0 && mz_seconds_now() - w->started >= w->limits.seconds);
}

/* Seconds: in each round four times as many as in the one before; but what is left is for all. */
static double slice_of(const mz_verifier *w, double now)
{
    double slice = 0.25, left = w->limits.seconds - now;
    size_t todo = 0;
    for (uint32_t i = MZ_LONG_ROUNDS; i < w->round && slice < 1e6; i++)
        slice *= 4;
    for (const mz_case *c = w->now; c < w->cases.items + w->cases.count; c++)
        todo += !c->done;
    return w->limits.seconds > 0 && left < slice * (double)todo ? left / (double)todo : slice;
}

/* Limits for a turn of one case; the user's own still hold. */
static void limit_turn(mz_verifier *w)
{
    const mz_limits *given = &w->limits;
    mz_limits *limits = &w->settings.search.limits;
    *limits = *given;
    if (w->round == MZ_SHORT_ROUND && (given->traces == 0 || given->traces > MZ_SOON))
        limits->traces = MZ_SOON;
    if (w->round < MZ_LONG_ROUNDS)
        return;
    double now = mz_seconds_now() - w->started, slice = slice_of(w, now);
    if (given->seconds <= 0 || now + slice < given->seconds)
        limits->seconds = now + slice;
}

/* A turn that ends early for the user's limits has nothing to go on for. */
static void end_turn(mz_verifier *w)
{
    const mz_limits *given = &w->limits, *limits = &w->settings.search.limits;
    bool stopped = w->result.search.stop && w->result.search.incomplete && w->round != MZ_FIRST_ROUND;
    bool of_turn = limits->traces != given->traces || limits->seconds != given->seconds;
    bool has_all = given->traces > 0 && w->result.search.statistics.traces >= given->traces;
    w->now->done |= stopped && (!of_turn || has_all);
}

/* Another value of the inputs has no plan: then there is none at all. */
static void give_up_case(mz_verifier *w)
{
    mz_text text = {0};
    mz_case_describe(w->machine, w->now, &text);
    if (mz_case_has_inputs(w->now))
        snprintf(w->v->valuation, sizeof w->v->valuation, "%s", mz_text_string(&text));
    mz_text_release(&text);
}

/* Why it has no plan, or none with a longer prefix. */
static void note_obstacle(mz_verifier *w)
{
    const mz_case *c = w->now;
    const char *obstacle = mz_text_string(&c->extraction.obstacle);
    snprintf(w->v->obstacle, sizeof w->v->obstacle, "%s%s%s", obstacle, *obstacle && c->trouble ? "; " : "",
             *obstacle && c->trouble ? c->trouble : "");
}

/* Their values are too many, or too many for the time: which input was the last one, and where. */
static void note_too_many(mz_verifier *w, const char *what)
{
    const mz_case *c = w->now;
    mz_position place = {0};
    mz_text text = {0};
    mz_text_add(&text, "%s", what);
    if (c->input_count > 0) {
        const mz_choice *last = &c->inputs[c->input_count - 1];
        w->machine->class->place_choice(w->machine, last, &place);
        mz_text_add(&text, ": %s", last->name ? last->name : "?");
    }
    if (place.file)
        mz_text_add(&text, " (%s:%u)", place.file, place.line);
    snprintf(w->v->obstacle, sizeof w->v->obstacle, "%s", mz_text_string(&text));
    mz_text_release(&text);
}

/* The case with this number, or the one after the last; NULL: there are no more. */
static mz_case *case_to_meet(mz_verifier *w, size_t number)
{
    return number < w->cases.count ? &w->cases.items[number] : mz_cases_next(&w->cases);
}

/* Every valuation of the inputs, until each has a trace. The one of a program without inputs is verified to
 * the end with that. */
static bool meet_cases(mz_verifier *w)
{
    w->round = MZ_FIRST_ROUND;
    for (size_t i = 0; (w->now = case_to_meet(w, i)); i++) {
        if (mz_cases_are_too_many(&w->cases)) {
            note_too_many(w, "the inputs have too many different values together: narrow their ranges");
            return false;
        }
        if (i > 0)
            drop_result(w);
        limit_turn(w);
        search_case(w);
        note_obstacle(w);
        if (w->again)
            return false;
        if (!w->now->offered)
            give_up_case(w);
        bool over = is_over(w);
        if (over && !w->cases.all_met && mz_case_has_inputs(w->now) && !w->v->obstacle[0])
            note_too_many(w, "there was no time for all values of the inputs");
        if (!w->now->offered || over)
            return mz_cases_are_offered(&w->cases);
    }
    return true;
}

static bool is_all_done(const mz_verifier *w)
{
    for (size_t i = 0; i < w->cases.count; i++)
        if (!w->cases.items[i].done)
            return false;
    return true;
}

static void verify_in_rounds(mz_verifier *w)
{
    for (w->round = MZ_SHORT_ROUND; !is_all_done(w) && !is_over(w) && !w->again; w->round++) {
        if (w->round == MZ_LONG_ROUNDS)
            mz_verifier_offer(w);
        for (size_t i = 0; i < w->cases.count && !is_over(w) && !w->again; i++) {
            w->now = &w->cases.items[i];
            if (w->now->done)
                continue;
            drop_result(w);
            limit_turn(w);
            search_case(w);
            end_turn(w);
        }
    }
}

static void verify_cases(mz_verifier *w)
{
    do {
        w->again = false;
        mz_cases_release(&w->cases);
        bool met = meet_cases(w);
        if (met && !(w->cases.count == 1 && !mz_case_has_inputs(&w->cases.items[0])))
            verify_in_rounds(w);
    } while (w->again && !is_over(w));
}

static bool has_bug(const mz_verifier *w)
{
    return w->result.report.error_count > 0 || w->with_bugs.report.error_count > 0;
}

/* Is there anything to be left out? */
static bool can_minimise(mz_verifier *w)
{
    bool any = false;
    for (size_t i = 0; i < w->cases.count; i++) {
        any |= w->cases.items[i].prefix > 0;
        if (!w->cases.items[i].is_leaf)
            continue;
        w->v->minimised = (mz_minimised){.tried = true};
        snprintf(w->v->minimised.reason, sizeof w->v->minimised.reason,
                 "the program reads inputs after its first operation");
        return false;
    }
    return any && mz_cases_are_offered(&w->cases);
}

static mz_set_job set_job(const mz_verifier *w)
{
    double seconds = w->job->settings->check.search.limits.seconds;
    return (mz_set_job){.settings = &w->job->settings->check,
                        .machine = w->machine,
                        .deadline = seconds > 0 ? w->started + seconds : 0,
                        .compares_addresses = mz_compiled_compares_addresses(w->job->compiled)};
}

/* Fewer constraints for what is handed out, in the time that is left. Until they are there, it is what it
 * was. */
static void minimise(mz_verifier *w)
{
    mz_set_job job = set_job(w);
    if (w->job->settings->minimise && can_minimise(w))
        mz_cases_minimise(&w->cases, &job, &w->v->minimised);
}

/* A program that does not end has no first trace, but iterations. */
static void plan_iterations(mz_verifier *w)
{
    const mz_settings *settings = &w->job->settings->check;
    mz_set_job job = set_job(w);
    mz_plan plan = {0};
    mz_text text = {0}, obstacle = {0};
    if (mz_plan_iterations(&job, &w->result, &plan, &w->v->minimised, &obstacle)) {
        plan.hash = mz_text_string(&w->hash);
        mz_plan_describe_program(&plan, settings);
        mz_symbolic_plan symbolic = {.plans = &plan,
                                     .plan_count = 1,
                                     .nondet_low = settings->nondet_low,
                                     .nondet_high = settings->nondet_high};
        mz_verifier_add_premises(w, &symbolic);
        mz_symbolic_text(&symbolic, &text);
        mz_release(symbolic.premises);
        mz_arena_release(&symbolic.strings);
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
static void offer_finally(mz_verifier *w)
{
    if (mz_cases_are_offered(&w->cases) && mz_verifier_withdraw(w))
        mz_verifier_offer(w);
}

/* A program that is known to be broken keeps constraints for good, so they are to be few. The plan may be in
 * use already: the set is handed out beside it. */
static void look_for_set(mz_verifier *w)
{
    if (!has_bug(w))
        return;
    minimise(w);
    w->v->set_text = w->v->minimised.has_set ? mz_verifier_share_text(w, false, &w->v->set_length) : NULL;
    atomic_store(&w->v->has_set, w->v->set_text != NULL);
    mz_verifier_tell(w);
}

static void report(mz_verifier *w)
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
    mz_verifier_share_premises(w);
    mz_share_report(w->shared, report);
    atomic_store(&w->v->reported, true);
    mz_verifier_tell(w);
}

void mz_verify(const void *context, mz_shared *shared)
{
    const mz_verify_job *job = context;
    mz_verifier w = {.job = job,
                     .v = job->verification,
                     .shared = shared,
                     .settings = job->settings->check,
                     .limits = job->settings->check.search.limits,
                     .started = mz_seconds_now()};
    mz_error error = {0};
    w.settings.keeps_spin_rounds = true;
    w.machine = mz_native_load(&w.settings, job->compiled, shared);
    if (!w.machine)
        return;
    mz_native_record(w.machine, &shared->flight);
    mz_compiled_hash(job->compiled, &w.hash, &error);
    mz_error_release(&error);
    if (job->settings->minimise && !job->beside) /* if no bug ends the search, there is still time for it */
        w.limits.seconds /= 2;
    atomic_store(&w.v->worker, (int)getpid());
    mz_native_prepare(w.machine);
    mz_share_ground(w.machine, shared);
    if (!w.machine->has_boundaries)
        verify_cases(&w);
    if (w.machine->has_boundaries) {
        plan_iterations(&w);
    } else {
        mz_verifier_name_racing_lines(&w);
        if (!job->beside)
            minimise(&w);
        offer_finally(&w);
        if (job->beside)
            mz_verifier_share_all_seen(&w);
    }
    report(&w);
    if (job->beside && !w.machine->has_boundaries)
        look_for_set(&w);
    atomic_store(&w.v->worker, -1);
}
