#include "safe/run/make_plan.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "safe/run/run_learn.h"
#include "safe/run/trials.h"
#include "safe/verify/verify.h"
#include "session/settings/trace_file.h"

typedef struct maker {
    mz_plan_settings *settings;
    mz_runnable program;
    mz_trials trials;
    mz_verification *verification;
    mz_shared *shared;
    mz_ending ending;
    mz_trace_files traces;
    mz_record_header *learned; /* NULL: there is no recording */
    mz_symbolic_plan names;    /* of its accesses */
    mz_text uncovered;
} maker;

/* The errors that were found become files. */
static void use_report(maker *m, mz_plan_outcome *o)
{
    mz_shared *shared = m->shared;
    if (!shared->finished)
        return;
    mz_report *report = &shared->report;
    o->report = report;
    if (report->error_count > 0 && shared->threads)
        mz_trace_write_all(&m->traces, &m->settings->check, NULL,
                           &(mz_trace_native){shared->threads, shared->places, shared->sources}, report);
    if (report->error_count > 0) {
        o->bug = report->errors[0].message;
        o->trace = report->errors[0].trace;
    }
}

static void find_outcome(maker *m, mz_plan_outcome *o)
{
    mz_verification *v = m->verification;
    uint32_t length;
    *o = (mz_plan_outcome){.program = m->settings->check.files[0],
                           .end = mz_text_string(&m->ending.words),
                           .obstacle = v->obstacle,
                           .valuation = v->valuation,
                           .first_trace = mz_first_trace_name((mz_first_trace)atomic_load(&v->first_trace)),
                           .has_overhead = m->settings->has_overhead && v->overhead > -1,
                           .overhead = v->overhead,
                           .minimised = &v->minimised};
    use_report(m, o);
    if (!o->report && !m->ending.was_ended) /* it took the worker with it: an execution that fails */
        o->bug = o->end;
    o->has_plan = mz_verification_plan(v, &o->plan);
    if (o->has_plan) /* whoever ended the verification, it may have been at any time */
        mz_symbolic_settle(&o->plan);
    o->all_verified = o->has_plan && mz_symbolic_prefix(&o->plan, &length) == 0 && !o->bug;
    if (o->has_plan)
        o->plan.plans[0].bug = o->bug;
    o->learns = m->learned && o->has_plan && o->plan.plan_count == 1; /* or the inputs are not known */
    o->is_covered = o->learns && mz_run_is_covered(m->learned, &m->names, &o->plan, &m->uncovered);
    o->uncovered = mz_text_string(&m->uncovered);
}

static void verify(maker *m, mz_error *error)
{
    mz_verify_job job = {.settings = m->settings,
                         .compiled = &m->program.compiled,
                         .verification = m->verification,
                         .changed = -1};
    pid_t worker, watcher = 0;
    mz_catch_interrupts(true);
    m->shared = mz_start_worker(mz_verify, &job, m->settings->check.search.limits.seconds, &worker, error);
    if (!error->set)
        watcher = mz_trials_watch(&m->trials, m->verification, error);
    if (m->shared)
        mz_finish_worker(m->shared, worker, &m->ending, error);
    mz_trials_end_watching(watcher, m->verification, error);
}

static bool build(maker *m, mz_error *error)
{
    mz_settings *check = &m->settings->check;
    bool runs = mz_trials_wanted(m->settings);
    if (runs)
        check->run = MZ_RUN_PLAIN;
    bool built = runs ? mz_runnable_build(&m->program, check, error)
                      : mz_native_build(check, &m->program.compiled, error);
    if (built)
        fputs(m->program.compiled.warnings ? m->program.compiled.warnings : "", stderr);
    return built && (!runs || mz_trials_begin(&m->trials, "plan", m->settings, &m->program, error));
}

void mz_make_plan(mz_plan_settings *settings, void (*tell)(void *context, mz_plan_outcome *outcome),
                  void *context, mz_error *error)
{
    enum { DEFAULT_SECONDS = 10 };
    maker m = {.settings = settings, .trials = {.settings = settings, .descriptor = -1}};
    mz_limits *limits = &settings->check.search.limits;
    if (limits->seconds <= 0 && limits->traces == 0 && !settings->has_constraints && !settings->has_overhead)
        limits->seconds = DEFAULT_SECONDS;
    if (settings->learn)
        m.learned = mz_run_learn(settings, &m.names, error);
    if (!error->set && build(&m, error)) {
        m.verification = mz_verification_create();
        if (m.verification)
            verify(&m, error);
        else
            mz_error_set(error, (mz_position){0}, "there is no memory that processes could share");
    }
    if (!error->set) {
        mz_plan_outcome outcome;
        find_outcome(&m, &outcome);
        tell(context, &outcome);
        mz_symbolic_release(&outcome.plan);
    }
    mz_trace_files_release(&m.traces);
    mz_text_release(&m.uncovered);
    mz_release(m.learned);
    mz_symbolic_release(&m.names);
    mz_text_release(&m.ending.words);
    if (m.verification)
        mz_verification_release(m.verification);
    mz_trials_end(&m.trials);
    mz_runnable_release(&m.program);
}
