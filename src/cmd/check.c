#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algo/algorithm.h"
#include "base/memory.h"
#include "base/options.h"
#include "cmd/command.h"
#include "cmd/progress.h"
#include "model/model.h"
#include "report/report.h"

enum { DEFAULT_DEPTH = 100000 };

/* ---- options --------------------------------------------------------------------------------------- */

/* name, letter, argument, help */
#define OPTIONS(X)                                                                                           \
    X(algorithm, 'a', "NAME[,NAME]", "how to explore: see 'mazurka algorithms' (default: source)")           \
    X(define, 'D', "NAME=VALUE", "give a model's parameter a value")                                         \
    X(check, 0, "KIND[,KIND]|all", "what counts as an error (default: all)")                                 \
    X(all_errors, 0, NULL, "go on after the first error and report each once")                               \
    X(stateful, 0, NULL, "prune states that were visited before (full)")                                     \
    X(sleep, 0, NULL, "with sleep sets (dpor)")                                                              \
    X(dependency, 0, "access|object", "what depends: conflicting accesses, or any two on one object (dpor)") \
    X(timeout, 0, "TIME", "stop after this time: 30s, 5m, 1h")                                               \
    X(max_traces, 0, "N", "stop after N traces")                                                             \
    X(max_events, 0, "N", "stop after N events altogether")                                                  \
    X(max_depth, 0, "N", "stop if one execution has more than N events (default: 100000)")                   \
    X(max_memory, 0, "SIZE", "stop when the process is this large: 512M, 4G")                                \
    X(json, 0, NULL, "print the result as JSON on standard output")                                          \
    X(quiet, 'q', NULL, "no progress line")                                                                  \
    X(help, 'h', NULL, "this text")

enum option_id {
#define MZ_X(name, letter, argument, help) OPTION_##name,
    OPTIONS(MZ_X)
#undef MZ_X
        OPTION_COUNT
};

static const mz_option option_table[] = {
#define MZ_X(name, letter, argument, help) {#name, letter, argument, help, OPTION_##name},
    OPTIONS(MZ_X)
#undef MZ_X
};

typedef struct settings {
    const mz_algorithm **algorithms;
    size_t algorithm_count, algorithm_capacity;
    mz_definition *definitions;
    size_t definition_count, definition_capacity;
    const char **files;
    size_t file_count, file_capacity;
    mz_search_options search;
    bool json, quiet, help;
} settings;

static const char options_note[] =
    "usage: mazurka check [options] FILE.dlang …\n\n"
    "Explores every interleaving that matters of each model and says whether it is safe, or shows how it\n"
    "fails. The language is described in doc/dlang.md.\n\noptions:\n";

/* C names have underscores, options have dashes. */
static mz_option *make_options(void)
{
    mz_option *options = mz_allocate(sizeof option_table);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        options[i] = option_table[i];
        char *name = mz_copy_string(options[i].name);
        for (char *c = name; *c; c++)
            if (*c == '_')
                *c = '-';
        options[i].name = name;
    }
    return options;
}

static void release_options(mz_option *options)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        mz_release((char *)(uintptr_t)options[i].name);
    mz_release(options);
}

static void print_help(const mz_option *options)
{
    mz_text text = {0};
    mz_text_add(&text, "%s", options_note);
    mz_options_help(options, OPTION_COUNT, &text);
    mz_text_add(&text, "\nkinds of errors for --check:\n");
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++)
        mz_text_add(&text, "  %-12s %s\n", mz_failure_check_name((mz_failure_kind)kind),
                    mz_failure_description((mz_failure_kind)kind));
    mz_text_add(&text, "\nexamples:\n"
                       "  mazurka check bench/models/bank.dlang\n"
                       "  mazurka check bench/models/ring.dlang -DN=12 --json\n"
                       "  mazurka check -a full,source bench/models/last_zero.dlang -DN=4\n"
                       "  mazurka check --check=deadlocks --timeout=60s bench/models/dining.dlang\n\n"
                       "exit codes: 0 safe, 1 a bug was found, 2 wrong usage or input, 3 incomplete (a limit was\n"
                       "reached), 4 internal error; with several checks the gravest: 1 before 3 before 0\n");
    fputs(mz_text_string(&text), stdout);
    mz_text_release(&text);
}

/* Call `each` for every part of a list a,b,c. */
static void for_each_part(const char *list, void (*each)(settings *, const char *, mz_error *), settings *s,
                          mz_error *error)
{
    while (!error->set) {
        size_t length = strcspn(list, ",");
        char *part = mz_copy_bytes(list, length);
        each(s, part, error);
        mz_release(part);
        if (!list[length])
            break;
        list += length + 1;
    }
}

static void use_algorithm(settings *s, const mz_algorithm *algorithm)
{
    s->algorithms = mz_grow(s->algorithms, &s->algorithm_capacity, s->algorithm_count + 1, sizeof *s->algorithms);
    s->algorithms[s->algorithm_count++] = algorithm;
}

static void add_algorithm(settings *s, const char *name, mz_error *error)
{
    const mz_algorithm *algorithm = mz_find_algorithm(name);
    if (algorithm) {
        use_algorithm(s, algorithm);
        return;
    }
    mz_error_set(error, (mz_position){0}, "option -a: unknown algorithm '%s'", name);
    mz_text names = {0};
    for (size_t i = 0; i < mz_algorithm_count; i++)
        mz_text_add(&names, "%s%s", i ? ", " : "", mz_algorithms[i]->name);
    mz_error_set_hint(error, "there are: %s", mz_text_string(&names));
    mz_text_release(&names);
}

static void add_check(settings *s, const char *name, mz_error *error)
{
    if (strcmp(name, "all") == 0) {
        s->search.checks = MZ_FAILURES_ALL;
        return;
    }
    mz_text names = {0};
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++) {
        const char *check = mz_failure_check_name((mz_failure_kind)kind);
        if (strcmp(name, check) == 0)
            s->search.checks |= 1u << kind;
        mz_text_add(&names, "%s, ", check);
        if (strcmp(name, check) == 0) {
            mz_text_release(&names);
            return;
        }
    }
    mz_error_set(error, (mz_position){0}, "option --check: unknown kind '%s'", name);
    mz_error_set_hint(error, "there are: %sall", mz_text_string(&names));
    mz_text_release(&names);
}

static void add_definition(settings *s, const char *text, mz_error *error)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    errno = 0;
    long long value = equals ? strtoll(equals + 1, &end, 10) : 0;
    if (!equals || equals == text || end == equals + 1 || *end || errno) {
        mz_error_set(error, (mz_position){0}, "option -D: '%s' is not NAME=NUMBER", text);
        mz_error_set_hint(error, "for example -DN=12");
        return;
    }
    s->definitions =
        mz_grow(s->definitions, &s->definition_capacity, s->definition_count + 1, sizeof *s->definitions);
    s->definitions[s->definition_count++] =
        (mz_definition){.name = mz_copy_bytes(text, (size_t)(equals - text)), .value = value};
}

static void apply_option(settings *s, int id, const char *value, mz_error *error)
{
    mz_limits *limits = &s->search.limits;
    switch ((enum option_id)id) {
    case OPTION_algorithm:
        for_each_part(value, add_algorithm, s, error);
        break;
    case OPTION_define:
        add_definition(s, value, error);
        break;
    case OPTION_check:
        for_each_part(value, add_check, s, error);
        break;
    case OPTION_all_errors:
        s->search.all_errors = true;
        break;
    case OPTION_stateful:
        s->search.stateful = true;
        break;
    case OPTION_sleep:
        s->search.sleep_sets = true;
        break;
    case OPTION_dependency:
        s->search.object_dependency = strcmp(value, "object") == 0;
        if (strcmp(value, "access") != 0 && strcmp(value, "object") != 0) {
            mz_error_set(error, (mz_position){0}, "option --dependency: unknown relation '%s'", value);
            mz_error_set_hint(error, "there are: access, object");
        }
        break;
    case OPTION_timeout:
        mz_parse_duration("timeout", value, &limits->seconds, error);
        break;
    case OPTION_max_traces:
        mz_parse_count("max-traces", value, &limits->traces, error);
        break;
    case OPTION_max_events:
        mz_parse_count("max-events", value, &limits->events, error);
        break;
    case OPTION_max_depth:
        mz_parse_count("max-depth", value, &limits->depth, error);
        break;
    case OPTION_max_memory:
        mz_parse_size("max-memory", value, &limits->memory, error);
        break;
    case OPTION_json:
        s->json = true;
        break;
    case OPTION_quiet:
        s->quiet = true;
        break;
    case OPTION_help:
        s->help = true;
        break;
    case OPTION_COUNT:
        break;
    }
}

static void check_settings(settings *s, mz_error *error)
{
    if (s->algorithm_count == 0)
        use_algorithm(s, &mz_algorithm_source);
    if (s->search.checks == 0)
        s->search.checks = MZ_FAILURES_ALL;
    for (size_t i = 0; s->search.stateful && i < s->algorithm_count; i++)
        if (!s->algorithms[i]->can_be_stateful) {
            mz_error_set(error, (mz_position){0}, "option --stateful does not go with the algorithm '%s'",
                         s->algorithms[i]->name);
            mz_error_set_hint(error, "-a full --stateful");
        }
    bool has_dpor = false;
    for (size_t i = 0; i < s->algorithm_count; i++)
        has_dpor |= s->algorithms[i]->repeats;
    if ((s->search.sleep_sets || s->search.object_dependency) && !has_dpor) {
        mz_error_set(error, (mz_position){0}, "option --%s goes with the algorithm dpor only",
                     s->search.sleep_sets ? "sleep" : "dependency");
        mz_error_set_hint(error, "-a dpor --sleep");
    }
    if (s->file_count == 0) {
        mz_error_set(error, (mz_position){0}, "nothing to check: name a model");
        mz_error_set_hint(error, "mazurka check FILE.dlang; mazurka check --help says more");
    }
    for (size_t i = 0; i < s->file_count; i++) {
        const char *dot = strrchr(s->files[i], '.');
        if (!dot || (strcmp(dot, ".dlang") != 0 && strcmp(dot, ".d") != 0)) {
            mz_error_set(error, (mz_position){.file = s->files[i]}, "not a dlang model (.dlang)");
            mz_error_set_hint(error, "a model in dlang is a file called NAME.dlang");
        }
    }
}

static void parse_settings(settings *s, const mz_option *options, int argc, char **argv, mz_error *error)
{
    s->search.limits.depth = DEFAULT_DEPTH;
    mz_option_parser parser = {.options = options, .count = OPTION_COUNT, .argc = argc, .argv = argv, .next = 1};
    for (int id; !error->set && (id = mz_options_next(&parser, error)) != MZ_OPTION_END;) {
        if (id == MZ_OPTION_WORD) {
            s->files = mz_grow(s->files, &s->file_capacity, s->file_count + 1, sizeof *s->files);
            s->files[s->file_count++] = parser.word;
        } else if (id >= 0) {
            apply_option(s, id, parser.value, error);
        }
    }
    if (!error->set && !s->help)
        check_settings(s, error);
}

static void release_settings(settings *s)
{
    for (size_t i = 0; i < s->definition_count; i++)
        mz_release((char *)(uintptr_t)s->definitions[i].name);
    mz_release(s->definitions);
    mz_release(s->algorithms);
    mz_release(s->files);
}

/* ---- one check ------------------------------------------------------------------------------------- */

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

static void run_check(result *r, mz_machine *machine, const settings *s, const char *file,
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

static void print_results(const settings *s, const result *results, size_t count)
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
static void check_definitions(const settings *s, mz_model *const *models, mz_error *error)
{
    for (size_t i = 0; i < s->definition_count && !error->set; i++) {
        if (s->definitions[i].used)
            continue;
        const char *name = s->definitions[i].name;
        mz_error_set(error, (mz_position){.file = s->files[0]}, "option -D%s: there is no parameter '%s'", name, name);
        mz_text names = {0};
        mz_model_parameters(models[0], &names);
        if (names.length > 0)
            mz_error_set_hint(error, "its parameters are: %s", mz_text_string(&names));
        else
            mz_error_set_hint(error, "it has none; one is declared before the header: param %s = 3", name);
        mz_text_release(&names);
    }
}

static int check_all(const settings *s, mz_error *error)
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
    settings s = {0};
    mz_error error = {0};
    mz_option *options = make_options();
    int code = MZ_EXIT_USAGE;
    parse_settings(&s, options, argc, argv, &error);
    if (!error.set && s.help) {
        print_help(options);
        code = MZ_EXIT_SAFE;
    } else if (!error.set) {
        code = check_all(&s, &error);
    }
    if (error.set) {
        mz_text text = {0};
        mz_error_print(&error, &text);
        fprintf(stderr, "%s%s", error.position.file ? "" : "mazurka check: ", mz_text_string(&text));
        mz_text_release(&text);
        code = MZ_EXIT_USAGE;
    }
    mz_error_release(&error);
    release_options(options);
    release_settings(&s);
    return code;
}
