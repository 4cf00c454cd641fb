#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "cmd/command.h"
#include "cmd/progress.h"
#include "cmd/settings.h"
#include "model/model.h"
#include "report/report.h"

/* The one global of the program: what a signal handler can reach. */
static volatile sig_atomic_t interrupted = 0;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

/* A result outlives its search: it owns the search and points into it. */
typedef struct result {
    mz_search search;
    mz_report report;
    mz_report_count counts[32];
} result;

static const char *verdict_word(mz_verdict verdict)
{
    static const char *const words[] = {"safe", "unsafe", "incomplete", "internal-error"};
    return words[verdict];
}

static void fill_report(result *r, const char *file, const mz_algorithm *algorithm, double seconds)
{
    mz_search *s = &r->search;
    size_t n = 0;
#define MZ_X(field, json_key, table_label)                                                                   \
    r->counts[n++] = (mz_report_count){json_key, table_label, s->statistics.field};
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    r->report = (mz_report){
        .version = MZ_VERSION,
        .program = file,
        .algorithm = algorithm->name,
        .equivalence_word = algorithm->equivalence == MZ_INTERLEAVING ? "interleavings" : "traces",
        .verdict = verdict_word(mz_search_verdict(s)),
        .reason = mz_text_string(&s->reason),
        .seconds = seconds,
        .share_done = s->incomplete && s->execution ? mz_search_share_done(s) : 1,
        .peak_bytes = mz_memory_peak(),
        .thread_count = s->machine->thread_capacity,
        .checks = s->options.checks,
        .all_errors = s->options.all_errors,
        .counts = r->counts,
        .count_count = n,
        .errors = mz_allocate_zeroed(s->problem_count, sizeof(mz_report_error)),
        .error_count = s->problem_count,
    };
    for (size_t i = 0; i < s->problem_count; i++) {
        const mz_problem *problem = &s->problems[i];
        mz_report_error *e = &r->report.errors[i];
        *e = (mz_report_error){
            .kind = problem->failure.kind,
            .message = mz_text_string(&problem->failure.message),
            .position = problem->failure.position,
            .thread = problem->failure.thread,
            .occurrences = problem->occurrences,
            .steps = mz_allocate_zeroed(problem->step_count, sizeof(mz_report_step)),
            .step_count = problem->step_count,
            .original_steps = problem->original_steps,
            .context_switches = problem->context_switches,
        };
        mz_text choices = {0};
        for (size_t j = 0; j < problem->initial_choices; j++)
            mz_text_add(&choices, "%s%lld", j ? ", " : "", (long long)problem->choices[j].value);
        e->initial_choices = mz_copy_string(mz_text_string(&choices));
        mz_text_release(&choices);
        for (size_t j = 0; j < problem->step_count; j++)
            e->steps[j] = (mz_report_step){problem->steps[j].thread, problem->steps[j].text,
                                           problem->steps[j].effect, problem->steps[j].position};
    }
}

static void release_result(result *r)
{
    for (size_t i = 0; i < r->report.error_count; i++) {
        mz_release(r->report.errors[i].steps);
        mz_release((char *)(uintptr_t)r->report.errors[i].initial_choices);
    }
    mz_release(r->report.errors);
    mz_search_release(&r->search);
}

static void run_check(result *r, mz_machine *machine, const mz_settings *s, const char *file,
                      const mz_algorithm *algorithm)
{
    mz_search_options options = s->search;
    mz_progress_line line = {.program = file};
    options.limits.interrupted = &interrupted;
    options.limits.progress = !s->quiet && isatty(STDERR_FILENO) ? mz_progress_show : NULL;
    options.limits.progress_context = &line;
    mz_search_init(&r->search, machine, &options);
    algorithm->run(&r->search);
    double seconds = mz_seconds_now() - r->search.started;
    mz_progress_erase(&line);
    fill_report(r, file, algorithm, seconds);
}

static int exit_code(const result *results, size_t count)
{
    bool seen[MZ_INTERNAL_ERROR + 1] = {false};
    for (size_t i = 0; i < count; i++)
        seen[mz_search_verdict(&results[i].search)] = true;
    return seen[MZ_INTERNAL_ERROR] ? MZ_EXIT_INTERNAL
           : seen[MZ_UNSAFE]       ? MZ_EXIT_BUG
           : seen[MZ_INCOMPLETE]   ? MZ_EXIT_INCOMPLETE
                                   : MZ_EXIT_SAFE;
}

static void print_results(const mz_settings *s, const result *results, size_t count)
{
    FILE *people = s->json ? stderr : stdout;
    mz_style style = {.colour = isatty(fileno(people)) && !getenv("NO_COLOR")};
    mz_text text = {0};
    mz_report *reports = mz_allocate_zeroed(count, sizeof *reports);
    for (size_t i = 0; i < count; i++)
        reports[i] = results[i].report;
    for (size_t i = 0; i < count; i++) {
        mz_text_add(&text, "%s", i ? "\n" : "");
        mz_report_text(&reports[i], style, &text);
    }
    if (count > 1) {
        mz_text_add(&text, "\n");
        mz_report_comparison(reports, count, style, &text);
    }
    fputs(mz_text_string(&text), people);
    if (s->json) {
        mz_text_clear(&text);
        mz_text_add(&text, "%s", count > 1 ? "[" : "");
        for (size_t i = 0; i < count; i++) {
            mz_text_add(&text, "%s", i ? ",\n" : "");
            mz_report_json(&reports[i], &text);
        }
        mz_text_add(&text, "%s\n", count > 1 ? "]" : "");
        fputs(mz_text_string(&text), stdout);
    }
    mz_text_release(&text);
    mz_release(reports);
}

/* A definition that no model has a parameter for is a typing mistake. */
static void check_definitions(const mz_settings *s, mz_model *const *models, mz_error *error)
{
    for (size_t i = 0; i < s->definition_count && !error->set; i++) {
        if (s->definitions[i].used)
            continue;
        const char *name = s->definitions[i].name;
        mz_error_set(error, (mz_position){.file = s->files[0]}, "option -D%s: there is no parameter '%s'",
                     name, name);
        mz_text names = {0};
        mz_model_parameters(models[0], &names);
        if (names.length > 0)
            mz_error_set_hint(error, "its parameters are: %s", mz_text_string(&names));
        else
            mz_error_set_hint(error, "it has none; one is declared before the header: param %s = 3", name);
        mz_text_release(&names);
    }
}

static int check_all(const mz_settings *s, mz_error *error)
{
    mz_model **models = mz_allocate_zeroed(s->file_count, sizeof *models);
    for (size_t i = 0; i < s->file_count && !error->set; i++) /* all of them, before any long work */
        models[i] = mz_model_load(s->files[i], s->definitions, s->definition_count, error);
    if (!error->set)
        check_definitions(s, models, error);
    int code = MZ_EXIT_USAGE;
    if (!error->set) {
        struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
        size_t count = s->file_count * s->algorithm_count, n = 0;
        result *results = mz_allocate_zeroed(count, sizeof *results);
        mz_machine **machines = mz_allocate_zeroed(s->file_count, sizeof *machines);
        for (size_t i = 0; i < s->file_count; i++) {
            fputs(mz_model_warnings(models[i]), stderr);
            machines[i] = mz_model_machine(models[i]);
            for (size_t a = 0; a < s->algorithm_count; a++)
                run_check(&results[n++], machines[i], s, s->files[i], s->algorithms[a]);
        }
        print_results(s, results, n);
        code = exit_code(results, n);
        if (fflush(stdout) != 0 || ferror(stdout)) {
            fprintf(stderr, "mazurka check: error: the result could not be written to standard output\n");
            code = MZ_EXIT_INTERNAL;
        }
        for (size_t i = 0; i < n; i++)
            release_result(&results[i]);
        for (size_t i = 0; i < s->file_count; i++)
            machines[i]->class->destroy(machines[i]);
        mz_release(machines);
        mz_release(results);
    }
    for (size_t i = 0; i < s->file_count; i++)
        mz_model_destroy(models[i]);
    mz_release(models);
    return code;
}

int mz_command_check(int argc, char **argv)
{
    mz_settings s = {0};
    mz_error error = {0};
    mz_text text = {0};
    int code = MZ_EXIT_USAGE;
    mz_settings_parse(&s, argc, argv, &error);
    if (!error.set && s.help) {
        mz_settings_help(&text);
        fputs(mz_text_string(&text), stdout);
        code = MZ_EXIT_SAFE;
    } else if (!error.set) {
        code = check_all(&s, &error);
    }
    if (error.set) {
        mz_error_print(&error, &text);
        fprintf(stderr, "%s%s", error.position.file ? "" : "mazurka check: ", mz_text_string(&text));
        code = MZ_EXIT_USAGE;
    }
    mz_text_release(&text);
    mz_error_release(&error);
    mz_settings_release(&s);
    return code;
}
