/* The same benchmarks at the same parameters as in the papers, and the published numbers beside ours. */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/options.h"
#include "bench/bench.h"
#include "cmd/command.h"
#include "bench/embedded.h"
#include "session/worker.h"
#include "session/progress.h"
#include "session/result.h"
#include "model/model.h"

/* A row may take so long, and a process that is larger than this is stopped before the system does it. */
static const double default_row_seconds = 10;
static const uint64_t most_memory = UINT64_C(4) << 30;

/* identifier, name, letter, argument, help */
#define OPTIONS(X)                                                                                           \
    X(row_timeout, "row-timeout", 0, "TIME", "stop a row after this time: 500ms, 2m (default: 10s)")         \
    X(rows, "rows", 0, "PATTERN", "only these: 'ring', 'ring*', 'indexer(1[0-4])'")                          \
    X(up_to, "up-to", 0, "N", "leave out rows whose parameter is larger")                                    \
    X(csv, "csv", 0, NULL, "print comma-separated values")                                                   \
    X(json, "json", 0, NULL, "print an array of JSON objects")                                               \
    X(plot, "plot", 0, "FILE.svg", "also draw time and traces over N (needs gnuplot)")                       \
    X(help, "help", 'h', NULL, "this text")

MZ_DEFINE_OPTIONS(OPTIONS);

typedef struct request {
    const mz_bench_table *table; /* NULL: none was named */
    double row_seconds;
    const char *pattern, *plot;
    uint64_t up_to;
    bool csv, json, help;
} request;

static void print_tables(FILE *out)
{
    for (size_t i = 0; i < mz_bench_table_count; i++)
        fprintf(out, "  %-16s %s\n", mz_bench_tables[i].name, mz_bench_tables[i].title);
    fprintf(out, "  %-16s %s\n", "irs", "what keeping a program to a plan costs (mazurka bench irs --help)");
}

static void print_help(void)
{
    mz_text options = {0};
    mz_options_help(option_table, OPTION_COUNT, &options);
    printf(
        "usage: mazurka bench TABLE [options]\n\n"
        "Runs the benchmarks of a published table at the same parameters and prints the published numbers\n"
        "beside ours. Algorithms that stand for the papers': source for SDPOR, eager for EPOR, eager-short\n"
        "for EPOR-SH, dpor --dependency=object for DPOR, lazy for LazyPOR, dc for DC-DPOR; optimal, or rf, "
        "is\n"
        "run as well.\n\n"
        "tables:\n");
    print_tables(stdout);
    printf("\noptions:\n%s\nexit codes: 0 done, 2 wrong usage, 3 interrupted, 4 internal error\n",
           mz_text_string(&options));
    mz_text_release(&options);
}

static const mz_bench_table *find_table(const char *name, mz_error *error)
{
    const char *names[8];
    assert(mz_bench_table_count <= sizeof names / sizeof *names);
    for (size_t i = 0; i < mz_bench_table_count; i++) {
        names[i] = mz_bench_tables[i].name;
        if (strcmp(name, names[i]) == 0)
            return &mz_bench_tables[i];
    }
    const char *closest = mz_closest_name(name, names, mz_bench_table_count);
    mz_error_set(error, (mz_position){0}, "there is no table '%s'", name);
    if (closest)
        mz_error_set_hint(error, "did you mean '%s'?", closest);
    else
        mz_error_set_hint(error, "mazurka bench lists the tables");
    return NULL;
}

static void name_table(request *r, const char *name, mz_error *error)
{
    if (r->table)
        mz_error_set(error, (mz_position){0}, "one table at a time: '%s' comes after '%s'", name,
                     r->table->name);
    else
        r->table = find_table(name, error);
}

static void parse(request *r, int argc, char **argv, mz_error *error)
{
    *r = (request){.row_seconds = default_row_seconds};
    mz_option_parser p = {
        .options = option_table, .count = OPTION_COUNT, .argc = argc, .argv = argv, .next = 1};
    for (int id; !error->set && (id = mz_options_next(&p, error)) != MZ_OPTION_END;) {
        if (id == MZ_OPTION_WORD)
            name_table(r, p.word, error);
        else if (id == OPTION_row_timeout)
            mz_parse_duration("row-timeout", p.value, &r->row_seconds, error);
        else if (id == OPTION_rows)
            r->pattern = p.value;
        else if (id == OPTION_up_to)
            mz_parse_count("up-to", p.value, &r->up_to, error);
        else if (id == OPTION_plot)
            r->plot = p.value;
        r->csv |= id == OPTION_csv;
        r->json |= id == OPTION_json;
        r->help |= id == OPTION_help;
    }
    if (!error->set && r->csv && r->json)
        mz_error_set(error, (mz_position){0}, "options --csv and --json exclude each other");
}

/* ---- running ----------------------------------------------------------------------------------------- */

/* From words as after -a: a name, and for dpor its relation. NULL if there is none of that name. */
static const mz_algorithm *algorithm_of(const char *words, mz_search_options *options)
{
    size_t length = strcspn(words, " ");
    char *name = mz_copy_bytes(words, length);
    const mz_algorithm *found = mz_find_algorithm(name);
    mz_release(name);
    options->object_dependency = strcmp(words + length, " --dependency=object") == 0;
    return found;
}

static mz_model *load(const char *name, uint32_t parameter, mz_error *error)
{
    mz_definition n = {.name = "N", .value = parameter};
    mz_text file = {0};
    mz_text_add(&file, "%s.dlang", name);
    const mz_embedded *found = mz_embedded_find(mz_text_string(&file));
    mz_text_release(&file);
    return mz_model_parse(found->name, found->text, found->length, &n, 1, error);
}

static mz_bench_status status_of(const mz_search *s)
{
    return mz_search_verdict(s) == MZ_INTERNAL_ERROR ? MZ_BENCH_BROKEN
           : mz_interrupted                          ? MZ_BENCH_INTERRUPTED
           : s->incomplete                           ? MZ_BENCH_LIMIT
                                                     : MZ_BENCH_COMPLETE;
}

static mz_cell counted(uint64_t number)
{
    return (mz_cell){.value = (double)number};
}

/* A short row is run a few times, and the fastest counts: nothing but the machine being busy makes one slower
 * than another. So many times, but not for longer than that. */
enum { MOST_RUNS = 15 };
static const double short_time = 0.2;

static bool explore_once(mz_bench_row *row, const mz_algorithm *algorithm, mz_machine *machine,
                         const mz_search_options *options)
{
    mz_search search;
    mz_search_init(&search, machine, options);
    algorithm->run(&search);
    row->ours[MZ_BENCH_seconds] = (mz_cell){.value = mz_seconds_now() - search.started};
    row->status = status_of(&search);
    row->statistics = search.statistics;
    row->ours[MZ_BENCH_traces] = counted(search.statistics.traces);
    row->ours[MZ_BENCH_executions] = counted(search.statistics.executions);
    row->ours[MZ_BENCH_dependency_checks] = counted(search.statistics.dependency_checks);
    row->ours[MZ_BENCH_race_checks] = counted(search.statistics.race_checks);
    row->ours[MZ_BENCH_unsatisfiable] = counted(search.statistics.unsatisfiable_avoided);
    bool again = search.begin_again;
    mz_search_release(&search);
    return again;
}

bool mz_bench_explore(mz_bench_row *row, const mz_algorithm *algorithm, mz_machine *machine,
                      const mz_search_options *options)
{
    if (explore_once(row, algorithm, machine, options))
        return true;
    double fastest = row->ours[MZ_BENCH_seconds].value, all = fastest;
    for (int run = 1; run < MOST_RUNS && row->status == MZ_BENCH_COMPLETE && all + fastest < short_time;
         run++) {
        explore_once(row, algorithm, machine, options);
        double now = row->ours[MZ_BENCH_seconds].value;
        all += now;
        fastest = now < fastest ? now : fastest;
    }
    row->ours[MZ_BENCH_seconds].value = fastest;
    return false;
}

static void run_model(mz_bench_row *row, const mz_algorithm *algorithm, const mz_search_options *options,
                      mz_error *error)
{
    mz_model *model = load(row->model, row->parameter, error);
    if (!model)
        return;
    mz_machine *machine = mz_model_machine(model);
    mz_bench_explore(row, algorithm, machine, options);
    machine->class->destroy(machine);
    mz_model_destroy(model);
}

/* *error set if the model is wrong, which is our mistake, or the program cannot be compiled here. */
static void run_row(const mz_bench *b, mz_bench_row *row, double seconds, mz_error *error)
{
    mz_search_options options = {.checks = MZ_FAILURES_DEFAULT, .all_errors = true};
    const mz_algorithm *algorithm = algorithm_of(row->algorithm, &options);
    row->status = MZ_BENCH_NOT_BUILT;
    if (!algorithm)
        return;
    mz_text label = {0};
    mz_text_add(&label, "%s(%u) %s", row->model, row->parameter, row->algorithm);
    mz_progress_line line = {.program = mz_text_string(&label)};
    options.limits = (mz_limits){
        .seconds = seconds,
        .memory = most_memory,
        .interrupted = &mz_interrupted,
        .progress = isatty(STDERR_FILENO) ? mz_progress_show : NULL,
        .progress_context = &line,
    };
    if (b->table->programs)
        mz_bench_run_native(row, algorithm, &options, error);
    else
        run_model(row, algorithm, &options, error);
    mz_progress_erase(&line);
    mz_text_release(&label);
}

/* The first row of the same benchmark and parameter. */
static size_t first_of(const mz_bench *b, size_t index)
{
    while (index > 0 && b->rows[index - 1].parameter == b->rows[index].parameter &&
           strcmp(b->rows[index - 1].model, b->rows[index].model) == 0)
        index--;
    return index;
}

/* Speed-up as in the paper: the share of the time of source sets that is saved. */
static void compare_with_source(mz_bench *b, size_t index)
{
    mz_bench_row *row = &b->rows[index];
    for (size_t i = first_of(b, index); b->published[MZ_BENCH_speedup] && i < index; i++) {
        const mz_bench_row *other = &b->rows[i];
        if (strcmp(other->algorithm, "source") == 0 && other->status == MZ_BENCH_COMPLETE &&
            row->status == MZ_BENCH_COMPLETE && other->ours[MZ_BENCH_seconds].value > 0)
            row->ours[MZ_BENCH_speedup] = (mz_cell){.value = 100 - 100 * row->ours[MZ_BENCH_seconds].value /
                                                                       other->ours[MZ_BENCH_seconds].value};
    }
}

/* Complete, and about the traces that all algorithms mean: with an option it is another relation, and dc and
 * rf count observations. */
static bool counts_traces(const mz_bench_row *row)
{
    const mz_algorithm *algorithm = mz_find_algorithm(row->algorithm);
    return row->status == MZ_BENCH_COMPLETE && algorithm && algorithm->equivalence == MZ_MAZURKIEWICZ;
}

/* Whatever the paper says, our algorithms must agree on how many traces there are. */
static bool agrees_with_others(const mz_bench *b, size_t index)
{
    const mz_bench_row *row = &b->rows[index];
    for (size_t i = first_of(b, index); i < index; i++) {
        const mz_bench_row *other = &b->rows[i];
        if (!counts_traces(row) || !counts_traces(other) ||
            row->statistics.traces == other->statistics.traces)
            continue;
        fprintf(stderr, "mazurka bench: internal error: %s(%u) has %llu traces with %s, %llu with %s\n",
                row->model, row->parameter, (unsigned long long)other->statistics.traces, other->algorithm,
                (unsigned long long)row->statistics.traces, row->algorithm);
        return false;
    }
    return true;
}

static void flush(mz_text *text)
{
    fputs(mz_text_string(text), stdout);
    fflush(stdout);
    mz_text_clear(text);
}

/* Each row is printed when it is done. */
static int run_table(const request *r, mz_error *error)
{
    const mz_bench_format *format = r->csv    ? &mz_bench_as_csv
                                    : r->json ? &mz_bench_as_json
                                              : &mz_bench_as_table;
    mz_bench b;
    mz_text text = {0};
    int code = MZ_EXIT_SAFE;
    mz_bench_read(&b, r->table, r->pattern, r->up_to);
    if (b.count == 0)
        mz_error_set(error, (mz_position){0}, "no row of %s is left: --rows or --up-to exclude all",
                     r->table->name);
    mz_catch_interrupts(true);
    size_t done = 0;
    for (; done < b.count && !error->set && !mz_interrupted; done++) {
        if (done == 0)
            format->begin(&b, &text);
        flush(&text);
        run_row(&b, &b.rows[done], r->row_seconds, error);
        compare_with_source(&b, done);
        if (b.rows[done].status == MZ_BENCH_BROKEN || !agrees_with_others(&b, done))
            code = MZ_EXIT_INTERNAL;
        format->row(&b, done, &text);
        flush(&text);
    }
    if (!error->set) {
        format->end(&b, done, &text);
        flush(&text);
    }
    if (r->plot && !error->set)
        mz_bench_plot(&b, done, r->plot, error);
    mz_text_release(&text);
    mz_bench_release(&b);
    return code == MZ_EXIT_SAFE && mz_interrupted ? MZ_EXIT_INCOMPLETE : code;
}

int mz_command_bench(int argc, char **argv)
{
    request r;
    mz_error error = {0};
    mz_text text = {0};
    int code = MZ_EXIT_SAFE;
    if (argc > 1 && strcmp(argv[1], "irs") == 0)
        return mz_bench_irs(argc - 1, argv + 1);
    parse(&r, argc, argv, &error);
    if (!error.set && r.help) {
        print_help();
    } else if (!error.set && !r.table) {
        printf("Published tables; mazurka bench TABLE runs one, mazurka bench --help says more.\n\n");
        print_tables(stdout);
    } else if (!error.set && (!r.plot || mz_bench_can_plot(&error))) {
        if (r.table->programs)
            mz_without_randomisation(argv - 1);
        code = run_table(&r, &error);
    }
    if (error.set) {
        mz_error_print(&error, &text);
        fprintf(stderr, "%s%s", error.position.file ? "" : "mazurka bench: ", mz_text_string(&text));
        code = MZ_EXIT_USAGE;
    } else if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "mazurka bench: error: the result could not be written to standard output\n");
        code = MZ_EXIT_INTERNAL;
    }
    mz_text_release(&text);
    mz_error_release(&error);
    return code;
}
