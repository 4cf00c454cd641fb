#include <stdio.h>

#include "base/memory.h"
#include "cmd/command.h"
#include "session/models.h"
#include "session/worker.h"
#include "session/result.h"
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
                               .seconds = mz_seconds_now() - started,
                               .rows = sizes.rows,
                               .row_count = s->algorithm_count};
}

/* ---- printing --------------------------------------------------------------------------------------------
 */

static int print_reports(const mz_settings *s, const mz_size_report *reports, size_t count)
{
    FILE *people = s->json ? stderr : stdout;
    mz_text text = {0};
    for (size_t i = 0; i < count; i++)
        mz_size_text(&reports[i], &text);
    fputs(mz_text_string(&text), people);
    mz_text_clear(&text);
    mz_text_add(&text, "%s", count > 1 ? "[" : "");
    for (size_t i = 0; i < count; i++) {
        mz_text_add(&text, "%s", i ? ",\n" : "");
        mz_size_json(&reports[i], &text);
    }
    mz_text_add(&text, "%s\n", count > 1 ? "]" : "");
    if (s->json)
        fputs(mz_text_string(&text), stdout);
    mz_text_release(&text);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return MZ_EXIT_SAFE;
    fprintf(stderr, "mazurka estimate: error: the result could not be written to standard output\n");
    return MZ_EXIT_INTERNAL;
}

static int print_error(const mz_error *error)
{
    mz_text text = {0};
    mz_error_print(error, &text);
    fprintf(stderr, "%s%s", error->position.file ? "" : "mazurka estimate: ", mz_text_string(&text));
    mz_text_release(&text);
    return MZ_EXIT_USAGE;
}

/* ---- models ----------------------------------------------------------------------------------------------
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

static int estimate_models(const mz_settings *s, double started, mz_error *error)
{
    mz_size_report *reports = mz_allocate_zeroed(s->file_count, sizeof *reports);
    mz_model **models = mz_models_load(s, error);
    for (size_t i = 0; i < s->file_count && !error->set; i++) {
        model_tasks tasks = {s, mz_model_machine(models[i])};
        fputs(mz_model_warnings(models[i]), stderr);
        fill_report(&reports[i], s, s->files[i], started, (mz_size_runner){measure_model, &tasks});
        tasks.machine->class->destroy(tasks.machine);
        started = mz_seconds_now(); /* each has its own time */
    }
    int code = error->set ? print_error(error) : print_reports(s, reports, s->file_count);
    mz_models_release(s, models);
    for (size_t i = 0; i < s->file_count; i++)
        mz_release((mz_size_row *)(uintptr_t)reports[i].rows);
    mz_release(reports);
    return code;
}

/* ---- programs: each task in a worker of its own, as a check would be (session/worker.c)
 * ------------------------ What a machine has learned about the program in one task would make the next one
 * another. */

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
    mz_text end = {0};
    bool was_stuck;
    *result = (mz_size_result){0};
    if (p->error->set)
        return;
    mz_shared *shared = mz_run_worker(measure_in_worker, &j, task->seconds, &end, &was_stuck, p->error);
    if (!p->error->set && shared->result) {
        *result = *(const mz_size_result *)shared->result;
    } else if (!p->error->set) {
        result->error_found = !was_stuck;
        snprintf(result->reason, sizeof result->reason, "%s", mz_text_string(&end));
    }
    mz_text_release(&end);
}

/* Building the program takes none of the time. */
static int estimate_program(const mz_settings *s, mz_error *error)
{
    mz_compiled compiled = {0};
    mz_size_report report = {0};
    program_tasks tasks = {s, &compiled, error};
    if (mz_native_build(s, &compiled, error)) {
        fputs(compiled.warnings ? compiled.warnings : "", stderr);
        fill_report(&report, s, s->files[0], mz_seconds_now(), (mz_size_runner){measure_program, &tasks});
    }
    int code = error->set ? print_error(error) : print_reports(s, &report, 1);
    mz_release((mz_size_row *)(uintptr_t)report.rows);
    mz_compiled_release(&compiled); /* the error may have pointed into it */
    return code;
}

/* ---- the command -----------------------------------------------------------------------------------------
 */

int mz_command_estimate(int argc, char **argv)
{
    mz_settings s = {0};
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    double started = mz_seconds_now();
    mz_settings_parse(&s, MZ_TO_ESTIMATE, argc, argv, &error);
    if (error.set) {
        code = print_error(&error);
    } else if (s.help) {
        mz_text text = {0};
        mz_settings_help(MZ_TO_ESTIMATE, &text);
        fputs(mz_text_string(&text), stdout);
        mz_text_release(&text);
    } else {
        if (s.native)
            mz_without_randomisation(argv - 1);
        mz_catch_interrupts(true);
        code = s.native ? estimate_program(&s, &error) : estimate_models(&s, started, &error);
    }
    mz_error_release(&error);
    mz_settings_release(&s);
    return code;
}
