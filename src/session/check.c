#include "session/check.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "session/large/advice.h"
#include "session/large/seeds.h"
#include "session/models.h"
#include "session/process/wide.h"
#include "session/saving.h"
#include "session/story/story.h"
#include "session/worker.h"

/* ---- models ---------------------------------------------------------------------------------------------
 */

/* With several seeds, in workers of their own. */
typedef struct model_job {
    mz_check *check;
    mz_machine *machine;
    const char *file;
    const mz_algorithm *algorithm;
} model_job;

static void check_model_seed(const void *context, const mz_settings *s, mz_shared *shared)
{
    const model_job *j = context;
    mz_result result = {0};
    mz_result_run(&result, j->machine, s, j->file, j->algorithm);
    mz_share_report(shared, &result.report);
}

static void check_model_seeds(mz_check *check, const mz_settings *s, uint32_t workers, const model_job *j,
                              mz_error *error)
{
    mz_ending ending;
    mz_shared *shared = mz_run_seeds(workers, check_model_seed, j, s, 0, &ending, error);
    if (!error->set && !shared->finished) {
        mz_report nothing = mz_report_of_nothing(s, j->algorithm->name);
        nothing.program = j->file;
        nothing.reason = mz_text_string(&ending.words);
        mz_share_report(shared, &nothing);
    }
    if (!error->set)
        check->reports[check->count++] = shared->report;
    mz_text_release(&ending.words);
}

/* For advice: a report may point into the result, which the check keeps. */
static const mz_report *probe_model(void *context, const mz_settings *s, const mz_algorithm *algorithm)
{
    const model_job *j = context;
    mz_check *check = j->check;
    mz_result *result = mz_allocate_zeroed(1, sizeof *result);
    check->probes =
        mz_grow(check->probes, &check->probe_capacity, check->probe_count + 1, sizeof(mz_result *));
    check->probes[check->probe_count++] = result;
    mz_result_run(result, j->machine, s, j->file, algorithm);
    return &result->report;
}

static void advise_on_model(mz_report *report, const mz_settings *s, const model_job *j)
{
    model_job again = *j;
    const mz_report *found = mz_is_too_large(report, s, j->algorithm)
                                 ? mz_advise(report, s, probe_model, &again, &j->check->advice)
                                 : NULL;
    if (found)
        *report = *found;
    mz_advise_limit(report, s, &j->check->advice);
}

static void check_model(mz_check *check, const mz_settings *s, const model_job *j, mz_error *error)
{
    uint32_t workers = mz_seed_workers(s, j->algorithm);
    if (workers > 0) {
        check_model_seeds(check, s, workers, j, error);
        return;
    }
    mz_result *result = &check->results[check->count];
    mz_result_run(result, j->machine, s, j->file, j->algorithm);
    mz_story_tell(result, j->machine, 0);
    mz_report *report = &check->reports[check->count++];
    *report = result->report;
    advise_on_model(report, s, j);
}

static void check_models(mz_check *check, const mz_settings *s, mz_error *error)
{
    check->models = mz_models_load(s, error);
    check->model_count = s->file_count;
    if (error->set)
        return;
    size_t count = s->file_count * s->algorithm_count;
    check->results = mz_allocate_zeroed(count, sizeof *check->results);
    check->reports = mz_allocate_zeroed(count, sizeof *check->reports);
    check->machines = mz_allocate_zeroed(s->file_count, sizeof *check->machines);
    for (size_t i = 0; i < s->file_count; i++) {
        fputs(mz_model_warnings(check->models[i]), stderr);
        check->machines[i] = mz_model_machine(check->models[i], s->search.memory);
        mz_text hash = {0};
        mz_saving saving = {.settings = s, .compiler = ""};
        mz_settings told = *s;
        if (mz_checkpoint_hash_file(s->files[i], &hash, error) && s->resumed)
            mz_checkpoint_compare(s->resumed, mz_text_string(&hash), "", error);
        if (error->set)
            return;
        saving.program = mz_text_string(&hash);
        told.saving = &saving;
        saving.settings = &told;
        for (size_t a = 0; a < s->algorithm_count && !error->set; a++) {
            check_model(check, &told, &(model_job){check, check->machines[i], s->files[i], s->algorithms[a]},
                        error);
            if (a == 0 && !error->set)
                mz_trace_write_all(&check->traces, s, s->files[i], NULL, &check->reports[check->count - 1]);
        }
        mz_text_release(&hash);
    }
}

/* ---- programs -------------------------------------------------------------------------------------------
 */

/* Why a worker had to be ended. With so many threads it may be our own work that takes so long. */
static const char *why_ended(const mz_check_job *j, const char *end, mz_shared *shared)
{
    mz_text reason = {0};
    bool in_time = shared->limit == 0 || mz_seconds_now() < mz_check_deadline(j);
    if (!shared->flight.too_many_threads || in_time || mz_interrupted)
        return end;
    mz_text_add(&reason,
                "the time limit of %g s was reached (--timeout); the program has more than %d threads",
                j->settings->search.limits.seconds, MZ_MAX_THREADS);
    const char *shown = mz_share_text(shared, mz_text_string(&reason));
    mz_text_release(&reason);
    return shown ? shown : end;
}

/* The worker is gone. Whatever the program did to it, it happened in the step that was begun last. */
static void report_end(const mz_check_job *j, const char *end, bool was_ended, mz_shared *shared)
{
    mz_report_error none = {.kind = MZ_FAIL_CRASH, .message = end, .initial_choices = ""};
    bool worth_telling = !was_ended || shared->flight.steps <= MZ_MOST_STEPS_TOLD;
    mz_report_error *way = worth_telling ? mz_tell_steps(j, shared, &shared->flight, end) : NULL;
    mz_report report = mz_report_of_nothing(j->settings, j->algorithm->name);
    report.verdict = was_ended ? MZ_INCOMPLETE : MZ_UNSAFE;
    report.reason = was_ended ? why_ended(j, end, shared) : "";
    report.errors = way ? way : &none;
    report.error_count = !was_ended;
    mz_share_report(shared, &report);
    if (was_ended)
        shared->report.way = way;
}

/* Functions were called past the checker, and what they did in one execution is still there in the next: a
 * failure may be due to that. It is told, with its steps, but it is no verdict. */
static void doubt_failures(const mz_compiled *compiled, mz_shared *shared)
{
    mz_report *r = &shared->report;
    if (!compiled->allowed[0] || r->error_count == 0)
        return;
    const mz_report_error *e = &r->errors[0];
    mz_text reason = {0};
    mz_text_add(&reason, "%s", e->message);
    if (e->position.file)
        mz_text_add(&reason, " (%s:%u)", e->position.file, e->position.line);
    mz_text_add(&reason, "; but what the functions that --allow lets through have done in earlier "
                         "executions was not taken back, and may be the cause");
    r->reason = mz_share_text(shared, mz_text_string(&reason));
    mz_text_release(&reason);
    r->verdict = MZ_INCOMPLETE;
    r->way = e->unknown_steps ? NULL : &r->errors[0];
    r->error_count = 0;
}

/* Building the program is a part of the time that the user gives; but a fifth of that is left for the search
 * in any case. With several algorithms each of the others has all of it. */
static double begun_for_first(const mz_settings *s, double begun)
{
    double latest = mz_seconds_now() - s->search.limits.seconds * 4 / 5;
    return s->search.limits.seconds > 0 && begun < latest ? latest : begun;
}

/* As the worker has found them to be needed. */
static void take_range(mz_settings *told, const mz_shared *shared)
{
    if (!shared->finished)
        return;
    told->nondet_low = shared->nondet_low;
    told->nondet_high = shared->nondet_high;
}

static void check_seed(const void *context, const mz_settings *s, mz_shared *shared)
{
    mz_check_job j = *(const mz_check_job *)context;
    j.settings = s;
    mz_worker_check(&j, shared);
}

/* For advice. */
static const mz_report *probe_program(void *context, const mz_settings *s, const mz_algorithm *algorithm)
{
    mz_check_job j = *(const mz_check_job *)context;
    mz_ending ending;
    mz_error error = {0};
    j.settings = s;
    j.algorithm = algorithm;
    j.begun = mz_seconds_now();
    mz_shared *shared = mz_run_worker(mz_worker_check, &j, s->search.limits.seconds, &ending, &error);
    bool told = !error.set && shared->finished;
    mz_text_release(&ending.words);
    mz_error_release(&error);
    return told ? &shared->report : NULL;
}

/* If that finds an error, *shared becomes where it was found. */
static void advise_on_program(mz_check *check, mz_report *report, const mz_check_job *j, mz_shared **shared)
{
    mz_check_job again = *j;
    if (!(*shared)->finished || (*shared)->gave_up || (*shared)->stuck || j->compiled->allowed[0] ||
        !mz_is_too_large(report, j->settings, j->algorithm))
        return;
    const mz_report *found = mz_advise(report, j->settings, probe_program, &again, &check->advice);
    if (!found)
        return;
    *report = *found;
    *shared = (mz_shared *)((char *)(uintptr_t)found - offsetof(mz_shared, report));
}

/* The report of one algorithm, which stays in memory that was shared with its worker. */
static void check_with(mz_check *check, const mz_check_job *j, mz_settings *told, mz_error *error)
{
    mz_ending ending;
    double deadline = mz_check_deadline(j), left = deadline > 0 ? deadline - mz_seconds_now() : 0;
    uint32_t workers = mz_seed_workers(j->settings, j->algorithm);
    mz_shared *shared = workers > 0 ? mz_run_seeds(workers, check_seed, j, j->settings, left, &ending, error)
                                    : mz_run_worker(mz_worker_check, j, left, &ending, error);
    if (!error->set) {
        take_range(told, shared);
        told->client = shared->client_word;
        if (!shared->finished)
            report_end(j, mz_text_string(&ending.words), ending.was_ended, shared);
        else if (shared->gave_up)
            shared->report.way = mz_tell_steps(j, shared, &shared->flight, shared->report.reason);
        else if (shared->stuck)
            shared->report.way = mz_tell_steps(j, shared, &shared->stuck_way, shared->stuck);
        doubt_failures(j->compiled, shared);
        mz_report *report = &check->reports[check->count++];
        *report = shared->report;
        advise_on_program(check, report, j, &shared);
        mz_advise_limit(report, j->settings, &check->advice);
        if (check->count == 1 && shared->threads)
            mz_trace_write_all(&check->traces, told, NULL,
                               &(mz_trace_native){shared->threads, shared->places, shared->sources}, report);
        mz_sources_show(&check->sources, report);
    }
    mz_text_release(&ending.words);
}

static void check_compiled(mz_check *check, const mz_settings *s, const mz_compiled *compiled, double begun,
                           mz_error *error)
{
    mz_text hash = {0};
    mz_error unknown = {0};
    const char *program = mz_compiled_hash(compiled, &hash, &unknown) ? mz_text_string(&hash) : NULL;
    if (s->resumed)
        mz_checkpoint_compare(s->resumed, mz_text_string(&hash), compiled->compiler_version, error);
    for (size_t a = 0; a < s->algorithm_count && !error->set; a++) {
        mz_settings told = *s;
        mz_check_job j = {.settings = &told,
                          .program = program,
                          .compiled = compiled,
                          .algorithm = s->algorithms[a],
                          .begun = a == 0 ? begun_for_first(s, begun) : mz_seconds_now()};
        check_with(check, &j, &told, error);
    }
    mz_error_release(&unknown);
    mz_text_release(&hash);
}

/* The compiler took all of the time. That is the same for all algorithms: none of them has begun. */
static void report_late_build(mz_check *check, const mz_settings *s, double seconds, mz_error *error)
{
    mz_text_add(&check->late, "%s", mz_text_string(&error->message));
    for (size_t a = 0; a < s->algorithm_count; a++) {
        mz_report *report = &check->reports[check->count++];
        *report = mz_report_of_nothing(s, s->algorithms[a]->name);
        report->reason = mz_text_string(&check->late);
        report->seconds = seconds;
    }
    mz_error_release(error);
}

static void check_program(mz_check *check, const mz_settings *s, mz_error *error)
{
    mz_compiled compiled = {0};
    mz_settings building = *s;
    double begun = mz_wide_begun();
    building.build_until = s->search.limits.seconds > 0 ? begun + s->search.limits.seconds : 0;
    check->reports = mz_allocate_zeroed(s->algorithm_count, sizeof *check->reports);
    if (mz_native_build(&building, &compiled, error)) {
        fputs(compiled.warnings ? compiled.warnings : "", stderr);
        mz_catch_interrupts(true);
        check_compiled(check, s, &compiled, begun, error);
    } else if (error->out_of_time) {
        report_late_build(check, s, mz_seconds_now() - begun, error);
    }
    mz_compiled_release(&compiled);
}

void mz_check_run(mz_check *check, const mz_settings *s, mz_error *error)
{
    *check = (mz_check){0};
    if (s->native) {
        check_program(check, s, error);
        for (size_t i = 0; i < check->count; i++) {
            check->reports[i].files = s->files;
            check->reports[i].file_count = s->file_count;
        }
        mz_sources_hand(&check->sources, check->reports, check->count);
        return;
    }
    mz_catch_interrupts(true);
    check_models(check, s, error);
    mz_sources_hand(&check->sources, check->reports, check->count);
}

void mz_check_release(mz_check *check)
{
    for (size_t i = 0; check->results && i < check->count; i++)
        mz_result_release(&check->results[i]);
    for (size_t i = 0; i < check->probe_count; i++) {
        mz_result_release(check->probes[i]);
        mz_release(check->probes[i]);
    }
    for (size_t i = 0; check->machines && i < check->model_count; i++)
        check->machines[i]->class->destroy(check->machines[i]);
    if (check->models)
        mz_models_release(check->models, check->model_count);
    mz_release(check->results);
    mz_release(check->probes);
    mz_arena_release(&check->advice);
    mz_release(check->machines);
    mz_release(check->reports);
    mz_sources_release(&check->sources);
    mz_trace_files_release(&check->traces);
    mz_text_release(&check->late);
}
