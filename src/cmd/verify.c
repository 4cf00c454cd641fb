#include "cmd/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/memory.h"
#include "cmd/first_trace.h"
#include "cmd/result.h"
#include "cmd/run.h"
#include "enforce/extract.h"
#include "explore/safe_prefix.h"

/* ---- what both processes see ----------------------------------------------------------------------------
 */

mz_verification *mz_verification_create(void)
{
    mz_verification *v = mmap(NULL, sizeof *v, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return v == MAP_FAILED ? NULL : v;
}

void mz_verification_release(mz_verification *v)
{
    if (v)
        munmap(v, sizeof *v);
}

bool mz_verification_plan(mz_verification *v, mz_symbolic_plan *symbolic)
{
    mz_error error = {0};
    mz_symbolic_init(symbolic);
    if (atomic_load(&v->state) == MZ_NO_PLAN ||
        !mz_symbolic_parse(symbolic, "plan", v->text, v->length, &error)) {
        mz_error_release(&error);
        return false;
    }
    for (size_t i = 0; i < symbolic->plan_count; i++)
        symbolic->plans[i].prefix = atomic_load(&v->prefixes[i]);
    symbolic->plans[0].traces = atomic_load(&v->traces);
    symbolic->plans[0].share = (double)atomic_load(&v->share) / 1e6;
    return true;
}

/* ---- the worker -------------------------------------------------------------------------------------------
 */

typedef struct verifier {
    const mz_verify_job *job;
    mz_verification *v;
    mz_shared *shared;
    mz_machine *machine;
    mz_plan plan; /* the one that was handed out, or is to be */
    mz_extraction extraction;
    /* Of the trace of this search: so many of its first events are those of the plan. All, but after the
     * search has begun again with a plan that is in use already. */
    uint32_t common;
    mz_extraction current; /* … and its own depths, if it is another trace */
    bool is_other;
    bool offered; /* a prefix that can be enforced is known */
    uint64_t begun_at;
} verifier;

static void tell(const verifier *w)
{
    char byte = 1;
    if (w->job->changed >= 0 && write(w->job->changed, &byte, 1) < 0)
        return; /* nobody listens, or there is enough to read already */
}

static void add_words(mz_plan *plan, const char *key, const mz_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        mz_plan_add_line(plan, key, words->words[i]);
}

/* What was verified. */
static void describe_program(mz_plan *plan, const mz_verify_job *job)
{
    const mz_settings *s = job->settings;
    for (size_t i = 0; i < s->file_count; i++)
        mz_plan_add_line(plan, "file", s->files[i]);
    if (s->compiler)
        mz_plan_add_line(plan, "compiler", s->compiler);
    add_words(plan, "flag", &s->compile_flags);
    add_words(plan, "link", &s->link_flags);
    add_words(plan, "argument", &s->arguments);
    mz_text hash = {0};
    mz_error error = {0};
    mz_compiled_hash(job->compiled, &hash, &error);
    plan->hash = mz_arena_copy(&plan->strings, mz_text_string(&hash), hash.length);
    mz_text_release(&hash);
    mz_error_release(&error);
}

static bool make_plan(verifier *w, const mz_execution *trace, mz_plan *plan, mz_extraction *extraction)
{
    if (!mz_plan_extract(plan, extraction, w->machine, trace, true))
        return false;
    for (uint32_t t = 1; t < plan->thread_count; t++)
        mz_native_birth(w->machine, t, &plan->threads[t].parent, &plan->threads[t].child);
    plan->needs_fences = mz_native_has_races(w->machine);
    describe_program(plan, w->job);
    return true;
}

/* Replace what was there, unless it is in use. */
static bool withdraw(verifier *w)
{
    uint32_t expected = MZ_HAS_PLAN;
    return atomic_compare_exchange_strong(&w->v->state, &expected, MZ_NO_PLAN) || expected == MZ_NO_PLAN;
}

static bool is_same_event(const mz_plan *a, const mz_plan *b, size_t i)
{
    const mz_plan_event *e = &a->events[i], *f = &b->events[i];
    return e->thread == f->thread && e->count == f->count && e->kind == f->kind && e->picks == f->picks;
}

/* A plan is in use, and the search has begun again, with another first trace. What it finds out about the
 * events that both have in common from the beginning goes for the plan as well: the executions that begin
 * with them are the same. Unless it has found races: what runs does not have the fences for those. */
static void compare_with_plan(verifier *w, const mz_plan *other)
{
    bool comparable =
        other->counts_accesses == w->plan.counts_accesses && (w->plan.needs_fences || !other->needs_fences);
    size_t i = 0;
    while (comparable && i < w->plan.length && i < other->length && is_same_event(&w->plan, other, i))
        i++;
    w->common = comparable ? (uint32_t)i : 0;
    w->is_other = true;
    if (!comparable)
        atomic_store(&w->v->is_over, true);
}

static void share_plan(verifier *w)
{
    mz_text text = {0};
    mz_symbolic_plan symbolic = {.plans = &w->plan,
                                 .plan_count = 1,
                                 .nondet_low = w->job->settings->nondet_low,
                                 .nondet_high = w->job->settings->nondet_high};
    mz_symbolic_text(&symbolic, &text);
    w->v->text = mz_share_bytes(w->shared, mz_text_string(&text), text.length + 1);
    w->v->length = w->v->text ? text.length : 0;
    snprintf(w->v->obstacle, sizeof w->v->obstacle, "%s", mz_text_string(&w->extraction.obstacle));
    mz_text_release(&text);
}

/* The first trace is there. */
static void begin(void *context, mz_search *s)
{
    verifier *w = context;
    mz_plan plan = {0};
    mz_extraction extraction = {0};
    if (!make_plan(w, s->execution, &plan, &extraction)) {
        mz_search_stop(s, "the program does not do the same when the same schedule is repeated");
        mz_plan_release(&plan);
        mz_extraction_release(&extraction);
        return;
    }
    w->begun_at = s->statistics.executions;
    if (withdraw(w)) {
        mz_plan_release(&w->plan);
        mz_extraction_release(&w->extraction);
        w->plan = plan;
        w->extraction = extraction;
        w->common = UINT32_MAX;
        w->is_other = w->offered = false;
        share_plan(w);
        return;
    }
    mz_extraction_release(&w->current);
    w->current = extraction;
    compare_with_plan(w, &plan);
    mz_plan_release(&plan);
}

/* From now on the plan may be used. Not at once: most of what makes a search begin again is learned soon, and
 * a plan that is in use profits little from another search. */
static void offer(verifier *w)
{
    uint32_t expected = MZ_NO_PLAN;
    if (w->offered && !w->is_other && w->v->text &&
        atomic_compare_exchange_strong(&w->v->state, &expected, MZ_HAS_PLAN))
        tell(w);
}

static bool has_enough(const verifier *w, uint32_t prefix)
{
    const mz_settings *s = w->job->settings;
    return s->has_constraints && mz_plan_constraints(&w->plan, prefix) <= s->constraints;
}

static void shrink(void *context, mz_search *s, size_t depth)
{
    enum { SOON = 16 };
    verifier *w = context;
    const mz_extraction *e = w->is_other ? &w->current : &w->extraction;
    atomic_store(&w->v->traces, s->statistics.traces);
    if (depth > e->deepest)
        return;
    uint32_t prefix = (uint32_t)depth;
    if (w->is_other && prefix > w->common)
        return;
    bool changed = !w->offered || prefix < atomic_load(&w->v->prefixes[0]);
    if (changed)
        atomic_store(&w->v->prefixes[0], prefix);
    w->offered = true;
    if (s->statistics.executions - w->begun_at >= SOON)
        offer(w);
    if (changed && atomic_load(&w->v->state) != MZ_NO_PLAN)
        tell(w);
    if (has_enough(w, prefix))
        s->stop = true;
}

static void show_progress(void *context, const mz_progress *progress)
{
    verifier *w = context;
    atomic_store(&w->v->traces, progress->traces);
    atomic_store(&w->v->share, (uint64_t)(progress->share_done * 1e6));
    offer(w);
    tell(w);
}

/* One search, from the beginning. */
static void search(verifier *w, mz_settings *settings, const mz_schedule *follow, mz_safe_prefix *p,
                   mz_result *result)
{
    *p = (mz_safe_prefix){.follow = follow, .begin = begin, .shrink = shrink, .context = w};
    *result = (mz_result){0};
    settings->search.safe_prefix = p;
    settings->search.limits.progress = show_progress;
    settings->search.limits.progress_context = w;
    mz_result_run(result, w->machine, settings, settings->files[0], &mz_algorithm_source);
}

/* What threads share, and which trace is to be the first: each may teach something that makes the other
 * worthless. */
static void prepare(verifier *w, const mz_settings *settings, mz_schedule *follow)
{
    mz_first_choice choice;
    for (;;) {
        mz_seen_order seen = {0};
        mz_native_prepare(w->machine);
        mz_share_ground(w->machine, w->shared);
        if (settings->free_run)
            mz_run_record_order(settings->free_run, w->machine, &seen);
        mz_choose_first(w->machine, settings->first_trace, settings->free_run ? &seen : NULL,
                        &settings->search.limits, &choice);
        mz_release(seen.operations);
        if (!w->machine->begin_again)
            break;
        mz_schedule_release(&choice.schedule);
    }
    *follow = choice.schedule;
    atomic_store(&w->v->first_trace, choice.which);
}

/* Searches until one has a safe trace first, or there is none, or the time is up. */
static void search_all(verifier *w, mz_settings *settings, mz_result *result, mz_result *earlier)
{
    double started = mz_seconds_now();
    mz_schedule follow;
    prepare(w, settings, &follow);
    for (;;) {
        mz_safe_prefix p;
        search(w, settings, &follow, &p, result);
        settings->search.limits.seconds_before = mz_seconds_now() - started;
        mz_schedule_release(&follow);
        if (result->search.begin_again) { /* the machine has learned something: all anew */
            mz_result_release(result);
            if (earlier->search.machine)
                mz_result_release(earlier);
            *earlier = (mz_result){0};
            mz_schedule_release(&p.other);
            prepare(w, settings, &follow);
            continue;
        }
        if (p.exhausted)
            atomic_store(&w->v->is_over, true);
        if (!p.has_other)
            return;
        *earlier = *result; /* with the errors found so far */
        earlier->report.counts = earlier->counts;
        follow = p.other;
    }
}

/* Fewer constraints for what is handed out, in the time that is left. Until they are there, it is what it
 * was.
 */
static void minimise(verifier *w, double deadline)
{
    mz_verification *v = w->v;
    mz_minimised result;
    if (!w->job->settings->minimise || !w->offered || w->is_other || atomic_load(&v->prefixes[0]) == 0)
        return;
    w->plan.prefix = atomic_load(&v->prefixes[0]);
    mz_minimise_plan(w->job->settings, w->machine, &w->plan, deadline, &result);
    if (result.has_set && !withdraw(w))
        return; /* in use: a program that keeps to a prefix cannot change over to edges */
    v->minimised = result;
    if (!result.has_set)
        return;
    uint32_t prefix = w->plan.prefix;
    w->plan.needs_fences |= mz_native_has_races(w->machine);
    w->plan.prefix = w->plan.length; /* the text is always that of all events */
    share_plan(w);
    atomic_store(&v->prefixes[0], prefix);
}

void mz_verify(const void *context, mz_shared *shared)
{
    const mz_verify_job *job = context;
    verifier w = {.job = job, .v = job->verification, .shared = shared};
    mz_settings settings = *job->settings;
    mz_result result, earlier = {0};
    w.machine = mz_native_load(&settings, job->compiled, shared);
    if (!w.machine)
        return;
    mz_native_record(w.machine, &shared->flight);
    double seconds = settings.search.limits.seconds, deadline = seconds > 0 ? mz_seconds_now() + seconds : 0;
    if (settings.minimise) /* if no bug ends the search, there is still time for it */
        settings.search.limits.seconds = seconds / 2;
    search_all(&w, &settings, &result, &earlier);
    minimise(&w, deadline);
    offer(&w);
    mz_report *report = &result.report;
    const char *lines[8];
    report->assumption_count = mz_native_assumptions(w.machine, lines, 8);
    report->assumptions = lines;
    if (report->error_count == 0 && earlier.report.error_count > 0) {
        report->errors = earlier.report.errors;
        report->error_count = earlier.report.error_count;
    }
    bool has_set = w.v->minimised.has_set; /* under which all is verified */
    atomic_store(&w.v->share, has_set ? 1000000 : (uint64_t)(report->share_done * 1e6));
    atomic_store(&w.v->traces, has_set ? w.v->minimised.traces : result.search.statistics.traces);
    mz_share_report(shared, report);
    tell(&w);
}

void mz_verify_settings(mz_settings *s, mz_error *error)
{
    for (size_t i = 0; i < s->algorithm_count; i++)
        if (s->algorithms[i] != &mz_algorithm_source) {
            mz_error_set(error, (mz_position){0},
                         "option -a: plans are made with the algorithm source, not with '%s'",
                         s->algorithms[i]->name);
            mz_error_set_hint(
                error, "what a finished part of the search says about a prefix is known of source only");
        }
    if (!error->set && !s->native)
        mz_error_set(error, (mz_position){.file = s->files[0]},
                     "a model cannot be run: plans are for programs");
    s->search.all_errors = true;
}
