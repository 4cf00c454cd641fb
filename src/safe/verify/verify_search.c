/* One search: its first trace becomes the plan of a case, and makes its prefix shorter. */
#include "safe/verify/verify_internal.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/lines.h"
#include "base/memory.h"
#include "program/program.h"

void mz_verifier_tell(const mz_verifier *w)
{
    char byte = 1;
    if (w->job->changed >= 0 && write(w->job->changed, &byte, 1) < 0)
        return; /* nobody listens, or there is enough to read already */
}

/* ---- plans ----------------------------------------------------------------------------------------------
 */

static bool make_plan(mz_verifier *w, const mz_execution *trace, uint32_t fixed, mz_plan *plan,
                      mz_extraction *extraction)
{
    /* What races has to be kept in order, and fenced, wherever it is, also if T itself has none of it. */
    plan->needs_fences = mz_native_has_races(w->machine);
    plan->counts_accesses |= plan->needs_fences;
    if (!mz_plan_extract(plan, extraction, w->machine, trace, fixed, true))
        return false;
    for (uint32_t t = 1; t < plan->thread_count; t++)
        mz_native_birth(w->machine, t, &plan->threads[t].parent, &plan->threads[t].child);
    plan->hash = mz_text_string(&w->hash);
    mz_plan_describe_program(plan, &w->job->settings->check);
    return true;
}

/* Replace what was there, unless it is in use. */
bool mz_verifier_withdraw(mz_verifier *w)
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

void mz_verifier_add_premises(mz_verifier *w, mz_symbolic_plan *symbolic)
{
    mz_native_premise *premises;
    size_t count = mz_native_premises(w->machine, &premises);
    for (size_t i = 0; i < count; i++)
        mz_symbolic_add_premise(symbolic, premises[i].kind, premises[i].name, premises[i].size,
                                premises[i].hash);
    symbolic->waived = w->job->settings->waived;
    mz_release(premises);
}

/* Which threads there were in any execution, and how much they did. Not for a plan that is used while the
 * search goes on: there will be more of them. */
static void add_seen(mz_verifier *w, bool counts_accesses, mz_symbolic_plan *symbolic)
{
    uint32_t most[MZ_MAX_THREADS], count = mz_native_counts(w->machine, most);
    for (uint32_t t = 0; count <= MZ_PLAN_MOST_THREADS && t < count; t++) {
        mz_seen_thread thread = {.most = counts_accesses ? UINT32_MAX : most[t]};
        if (t > 0)
            mz_native_birth(w->machine, t, &thread.parent, &thread.child);
        mz_symbolic_add_seen(symbolic, thread);
    }
}

/* What is verified may depend on more than it did when the plan was handed out. */
void mz_verifier_share_premises(mz_verifier *w)
{
    mz_symbolic_plan symbolic;
    mz_text text = {0};
    mz_symbolic_init(&symbolic);
    mz_verifier_add_premises(w, &symbolic);
    if (symbolic.premise_count != w->premises_shared) {
        mz_symbolic_premises_text(&symbolic, &text);
        atomic_store(&w->v->premises, mz_share_bytes(w->shared, mz_text_string(&text), text.length + 1));
        w->premises_shared = symbolic.premise_count;
    }
    mz_text_release(&text);
    mz_symbolic_release(&symbolic);
}

/* When all is verified, it is known which threads there are, for those who write the plan down. */
void mz_verifier_share_all_seen(mz_verifier *w)
{
    mz_symbolic_plan symbolic;
    mz_text text = {0};
    bool counts_accesses = mz_native_has_races(w->machine);
    for (size_t i = 0; i < w->cases.count; i++)
        counts_accesses |= w->cases.items[i].plan.counts_accesses;
    mz_symbolic_init(&symbolic);
    mz_verifier_add_premises(w, &symbolic);
    add_seen(w, counts_accesses, &symbolic);
    mz_symbolic_premises_text(&symbolic, &text);
    atomic_store(&w->v->premises, mz_share_bytes(w->shared, mz_text_string(&text), text.length + 1));
    mz_text_release(&text);
    mz_symbolic_release(&symbolic);
}

const char *mz_verifier_share_text(mz_verifier *w, bool all, size_t *length)
{
    const char *shared = NULL;
    mz_text text = {0}, obstacle = {0};
    mz_symbolic_plan symbolic;
    bool combined = mz_cases_combine(&w->cases, w->machine, &symbolic, &obstacle);
    symbolic.nondet_low = w->settings.nondet_low;
    symbolic.nondet_high = w->settings.nondet_high;
    symbolic.names_racing_lines = w->names_racing_lines;
    symbolic.lines = w->lines;
    symbolic.line_count = w->line_count;
    mz_verifier_add_premises(w, &symbolic);
    if (combined && !(all && w->job->beside))
        add_seen(w, symbolic.plans[0].counts_accesses, &symbolic);
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

static bool share_plan(mz_verifier *w)
{
    w->v->length = 0;
    w->v->text = mz_verifier_share_text(w, true, &w->v->length);
    return w->v->text;
}

/* From now on the plan may be used, if every case has one. Not at once: most of what makes a search begin
 * again is learned soon, and a plan that is in use profits little from another search. */
void mz_verifier_offer(mz_verifier *w)
{
    if (!mz_cases_are_offered(&w->cases) || atomic_load(&w->v->state) != MZ_NO_PLAN || !share_plan(w))
        return;
    atomic_store(&w->v->state, MZ_HAS_PLAN);
    mz_verifier_tell(w);
}

/* ---- one search -----------------------------------------------------------------------------------------
 */

/* Its trace, to be followed, and with which inputs it begins. */
static void note_first(mz_verifier *w, mz_case *c, const mz_execution *trace)
{
    mz_schedule_release(&c->first);
    mz_schedule_copy(&c->first, trace);
    mz_release(c->inputs);
    c->input_count = trace->initial_choices;
    c->inputs = mz_allocate_zeroed(c->input_count, sizeof *c->inputs);
    for (size_t i = 0; i < c->input_count; i++)
        c->inputs[i] = trace->choices[i];
    c->restarts = w->restarts;
}

/* Is it the trace that the case has already? */
static bool is_known(const mz_case *c, const mz_plan *plan)
{
    return c->plan.event_count > 0 && c->plan.counts_accesses == plan->counts_accesses &&
           c->plan.needs_fences == plan->needs_fences && c->plan.event_count == plan->event_count &&
           c->plan.length == plan->length && mz_plans_common(&c->plan, plan) == plan->length;
}

/* The plan of the case, from now on. */
static bool use_plan(mz_verifier *w, mz_case *c, const mz_execution *trace, mz_plan *plan,
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
    if (mz_case_has_inputs(c) && !plan->counts_accesses) {
        c->counting.counts_accesses = true;
        same = make_plan(w, trace, c->fixed, &c->counting, &ignored);
        mz_extraction_release(&ignored);
    }
    return same;
}

/* It is there again, and gets other names. What is fixed by now is less than when it was extracted (cases
 * that go on together), and no concern of names: how long its prefix may be is known. */
static void rename_trace(mz_verifier *w, mz_search *s)
{
    mz_extraction ignored = {0};
    w->renamed->counts_accesses = true;
    w->is_renamed = make_plan(w, s->execution, UINT32_MAX, w->renamed, &ignored) &&
                    ignored.deepest >= w->now->extraction.deepest;
    mz_extraction_release(&ignored);
    s->stop = true;
}

/* The first trace is there. */
static void begin(void *context, mz_search *s)
{
    mz_verifier *w = context;
    if (w->renamed) {
        rename_trace(w, s);
        return;
    }
    mz_case *c = w->now;
    mz_plan plan = {0};
    mz_extraction extraction = {0};
    bool same = make_plan(w, s->execution, c->fixed, &plan, &extraction);
    bool known = same && is_known(c, &plan);
    c->begun_at = s->statistics.executions;
    if (same)
        note_first(w, c, s->execution);
    if (same && !known && mz_verifier_withdraw(w)) {
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
static void rest_if_asked(const mz_verifier *w)
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

static bool has_enough(const mz_verifier *w, uint32_t prefix)
{
    const mz_plan_settings *s = w->job->settings;
    rest_if_asked(w);
    return atomic_load(&w->v->enough) ||
           (s->has_constraints && mz_plan_constraints(&w->now->plan, prefix) <= s->constraints);
}

void mz_verifier_note_traces(mz_verifier *w, uint64_t traces, double share)
{
    mz_case *c = w->now;
    c->traces = traces > c->traces ? traces : c->traces;
    if (c->fixed == 0 && share > c->share) /* otherwise nobody knows of how much it is a part */
        c->share = share;
    atomic_store(&w->v->traces, mz_cases_traces(&w->cases));
    if (w->cases.all_met)
        atomic_store(&w->v->share, (uint64_t)(mz_cases_share(&w->cases) * 1e6));
}

static void share_prefixes(mz_verifier *w)
{
    uint32_t prefixes[MZ_MOST_PLANS];
    mz_cases_prefixes(&w->cases, prefixes);
    mz_verifier_share_premises(w);
    for (size_t i = 0; i < MZ_MOST_PLANS; i++)
        atomic_store(&w->v->prefixes[i], prefixes[i]);
    mz_verifier_tell(w);
}

static void shrink(void *context, mz_search *s, size_t depth)
{
    mz_verifier *w = context;
    if (w->renamed)
        return;
    mz_case *c = w->now;
    const mz_extraction *e = c->is_other ? &c->current : &c->extraction;
    uint32_t prefix = (uint32_t)depth;
    mz_verifier_note_traces(w, s->statistics.traces, 0);
    if (depth > e->deepest || (c->is_other && prefix > c->common))
        return;
    bool changed = !c->offered || prefix < c->prefix;
    c->prefix = changed ? prefix : c->prefix;
    c->offered = true;
    bool has_inputs = mz_case_has_inputs(c);
    if (!has_inputs)
        w->cases.all_met = true;
    if (!has_inputs && s->statistics.executions - c->begun_at >= MZ_SOON)
        mz_verifier_offer(w);
    if (changed && atomic_load(&w->v->state) != MZ_NO_PLAN)
        share_prefixes(w);
    if (has_enough(w, prefix))
        s->stop = c->done = true;
    if (has_inputs && w->round == MZ_FIRST_ROUND)
        s->stop = true;
}

static void show_progress(void *context, const mz_progress *progress)
{
    mz_verifier *w = context;
    mz_verifier_note_traces(w, progress->traces, progress->share_done);
    if (!mz_case_has_inputs(w->now))
        mz_verifier_offer(w);
    mz_verifier_tell(w);
    rest_if_asked(w);
    if (atomic_load(&w->v->enough))
        mz_interrupted = true; /* as if the user had ended it */
}

const mz_algorithm *mz_verifier_algorithm(const mz_settings *settings)
{
    return settings->algorithm_count > 0 ? settings->algorithms[0] : mz_plan_algorithm;
}

void mz_verifier_search(mz_verifier *w, mz_safe_prefix *p)
{
    mz_case *c = w->now;
    *p = (mz_safe_prefix){.follow = c->first.length > 0 ? &c->first : NULL,
                          .fixed = c->fixed,
                          .begin = begin,
                          .shrink = shrink,
                          .context = w};
    w->result = (mz_result){0};
    mz_settings *settings = &w->settings;
    settings->search.safe_prefix = p;
    settings->search.one_valuation = true;
    settings->search.valuation = c->inputs;
    settings->search.valuation_length = c->input_count;
    settings->search.limits.progress = show_progress;
    settings->search.limits.progress_context = w;
    settings->search.limits.seconds_before = mz_seconds_now() - w->started;
    mz_result_run(&w->result, w->machine, settings, settings->files[0], mz_verifier_algorithm(settings));
}
