#include "session/estimate.h"

#include <stdio.h>

#include "base/memory.h"
#include "session/models.h"
#include "session/program.h"
#include "session/sizes.h"

/* Seconds for one estimate, and what is kept back for printing it. */
static const double TIME = 2, RESERVE = 0.05;

static double deadline_of(const mz_settings *s, double started)
{
    double time = s->search.limits.seconds > 0 ? s->search.limits.seconds : TIME;
    return started + time - (time > 4 * RESERVE ? RESERVE : 0);
}

static void fill_report(mz_size_report *report, const mz_settings *s, const char *program, double started,
                        mz_size_runner runner)
{
    mz_sizes sizes;
    mz_sizes_find(&sizes, s, deadline_of(s, started), runner);
    *report = (mz_size_report){.program = program,
                               .recommended = sizes.recommended,
                               .error_found = sizes.error_found,
                               .by_states = sizes.by_states,
                               .state_seconds = sizes.state_seconds,
                               .memory = s->search.memory,
                               .seconds = mz_seconds_now() - started,
                               .rows = sizes.rows,
                               .row_count = s->algorithm_count};
}

/* ---- models ---------------------------------------------------------------------------------------------
 */

typedef struct model_tasks {
    const mz_settings *settings;
    mz_machine *machine;
} model_tasks;

static void measure_model(void *context, const mz_size_task *task, mz_size_result *result)
{
    const model_tasks *m = context;
    mz_size_measure(m->machine, m->settings, task, NULL, result);
}

static void estimate_models(mz_size_reports *sizes, const mz_settings *s, double started, mz_error *error)
{
    mz_model **models = mz_models_load(s, error);
    for (size_t i = 0; i < s->file_count && !error->set; i++) {
        model_tasks tasks = {s, mz_model_machine(models[i], s->search.memory)};
        fputs(mz_model_warnings(models[i]), stderr);
        fill_report(&sizes->reports[sizes->count++], s, s->files[i], started,
                    (mz_size_runner){measure_model, &tasks});
        tasks.machine->class->destroy(tasks.machine);
        started = mz_seconds_now(); /* each has its own time */
    }
    mz_models_release(models, s->file_count);
}

/* ---- programs -------------------------------------------------------------------------------------------
 * Each task in a worker of its own, as a check would be. What a machine has learned about the program in one
 * task would make the next one another. */

typedef struct program_tasks {
    const mz_settings *settings;
    const mz_compiled *compiled;
    mz_error *error; /* it cannot even be loaded */
} program_tasks;

typedef struct job {
    const program_tasks *tasks;
    const mz_size_task *task;
} job;

static void measure_in_worker(const void *context, mz_shared *shared)
{
    const job *j = context;
    mz_settings s = *j->tasks->settings;
    s.search.all_errors = true; /* as the search will */
    mz_machine *machine = mz_native_load(&s, j->tasks->compiled, shared);
    if (!machine)
        return;
    mz_native_record(machine, &shared->flight);
    mz_native_go_on(machine, NULL);
    mz_native_set_deadline(machine, mz_seconds_now() + j->task->seconds);
    mz_size_result result;
    mz_size_measure(machine, &s, j->task, mz_native_prepare, &result);
    shared->result = mz_share_bytes(shared, &result, sizeof result);
    shared->finished = true;
}

static void measure_program(void *context, const mz_size_task *task, mz_size_result *result)
{
    program_tasks *p = context;
    job j = {p, task};
    mz_ending ending;
    *result = (mz_size_result){0};
    if (p->error->set)
        return;
    mz_shared *shared = mz_run_worker(measure_in_worker, &j, task->seconds, &ending, p->error);
    if (!p->error->set && shared->result) {
        *result = *(const mz_size_result *)shared->result;
    } else if (!p->error->set) {
        result->error_found = !ending.was_ended;
        snprintf(result->reason, sizeof result->reason, "%s", mz_text_string(&ending.words));
    }
    mz_text_release(&ending.words);
}

/* --memory=auto: has it weaker orders? Then what is to be explored are graphs. */
static void find_memory(mz_settings *s, program_tasks *tasks)
{
    mz_size_task look = {.algorithm = mz_default_algorithm, .looks = true, .seconds = TIME};
    mz_size_result result = {0};
    if (s->search.memory != MZ_MEMORY_AUTO || !s->algorithm_is_default)
        return;
    measure_program(tasks, &look, &result);
    if (!result.is_weak)
        return;
    s->search.memory = MZ_MEMORY_RC11;
    s->algorithm_count = 0;
    mz_settings_use_algorithm(s, &mz_algorithm_graph);
}

/* Building the program takes none of the time. */
static void estimate_program(mz_size_reports *sizes, const mz_settings *s, mz_error *error)
{
    mz_compiled compiled = {0};
    mz_settings found = *s;
    program_tasks tasks = {&found, &compiled, error};
    found.algorithms = NULL;
    found.algorithm_count = found.algorithm_capacity = 0;
    for (size_t i = 0; i < s->algorithm_count; i++)
        mz_settings_use_algorithm(&found, s->algorithms[i]);
    if (mz_native_build(s, &compiled, error)) {
        fputs(compiled.warnings ? compiled.warnings : "", stderr);
        find_memory(&found, &tasks);
        fill_report(&sizes->reports[sizes->count++], &found, s->files[0], mz_seconds_now(),
                    (mz_size_runner){measure_program, &tasks});
    }
    mz_compiled_release(&compiled);
    mz_release(found.algorithms);
}

void mz_estimate_run(mz_size_reports *sizes, const mz_settings *s, double started, mz_error *error)
{
    *sizes = (mz_size_reports){.reports = mz_allocate_zeroed(s->file_count, sizeof *sizes->reports)};
    if (s->native)
        estimate_program(sizes, s, error);
    else
        estimate_models(sizes, s, started, error);
}

void mz_estimate_release(mz_size_reports *sizes)
{
    for (size_t i = 0; i < sizes->count; i++)
        mz_release((mz_size_row *)(uintptr_t)sizes->reports[i].rows);
    mz_release(sizes->reports);
}
