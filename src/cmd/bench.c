/* `mazurka bench`: a published table, and ours beside it. */
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "session/process/supervisor.h"

typedef struct request {
    mz_bench_request table; /* .table NULL: none was named */
    bool csv, json, help;
} request;

#define IN(type_, field) .type = MZ_OPTION_##type_, .at = offsetof(request, field)

static const mz_option options[] = {
    {"row-timeout", 0, "TIME", "stop a row after this time: 500ms, 2m (default: 10s)",
     IN(DURATION, table.row_seconds)},
    {"rows", 0, "PATTERN", "only these: 'ring', 'ring*', 'indexer(1[0-4])'", IN(TEXT, table.pattern)},
    {"up-to", 0, "N", "leave out rows whose parameter is larger", IN(COUNT, table.up_to)},
    {"csv", 0, NULL, "print comma-separated values", IN(SWITCH, csv), .excludes = "json"},
    {"json", 0, NULL, "print an array of JSON objects", IN(SWITCH, json)},
    {"plot", 0, "FILE.svg", "also draw time and traces over N (needs gnuplot)", IN(TEXT, table.plot)},
    {"help", 'h', NULL, "this text", IN(SWITCH, help)},
};

void mz_offer_bench(mz_command_line *line, void *target)
{
    mz_options_offer(line, options, sizeof options / sizeof *options, 0, target);
}

static void add_tables(mz_text *out)
{
    for (size_t i = 0; i < mz_bench_table_count; i++)
        mz_text_add(out, "  %-16s %s\n", mz_bench_tables[i].name, mz_bench_tables[i].title);
    mz_text_add(out, "  %-16s %s\n", "irs",
                "what keeping a program to a plan costs (mazurka bench irs --help)");
}

static void print_help(const mz_command_line *line)
{
    mz_text text = {0};
    mz_text_add(&text,
                "usage: mazurka bench TABLE [options]\n\n"
                "Runs the benchmarks of a published table at the same parameters and prints the published\n"
                "numbers beside ours. Algorithms of ours that are run for those of the papers:\n");
    mz_bench_describe_algorithms(&text);
    mz_text_add(&text, "\ntables:\n");
    add_tables(&text);
    mz_text_add(&text, "\noptions:\n");
    mz_options_help(line, &text);
    mz_text_add(&text, "\nexit codes: 0 done, 2 wrong usage, 3 interrupted, 4 internal error\n");
    mz_print_help(stdout, mz_text_string(&text));
    mz_text_release(&text);
}

static const mz_bench_table *find_table(const char *name, mz_error *error)
{
    const char **names = mz_allocate(mz_bench_table_count * sizeof *names);
    const mz_bench_table *found = NULL;
    for (size_t i = 0; i < mz_bench_table_count; i++) {
        names[i] = mz_bench_tables[i].name;
        if (strcmp(name, names[i]) == 0)
            found = &mz_bench_tables[i];
    }
    if (!found) {
        const char *closest = mz_closest_name(name, names, mz_bench_table_count);
        mz_error_set(error, (mz_position){0}, "there is no table '%s'", name);
        if (closest)
            mz_error_set_hint(error, "did you mean '%s'?", closest);
        else
            mz_error_set_hint(error, "mazurka bench lists the tables");
    }
    mz_release(names);
    return found;
}

static void take_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    request *r = context;
    (void)after_dashes;
    if (r->table.table)
        mz_error_set(error, (mz_position){0}, "one table at a time: '%s' comes after '%s'", word,
                     r->table.table->name);
    else
        r->table.table = find_table(word, error);
}

static int run_table(request *r, char **argv, mz_error *error)
{
    if (r->table.plot && !mz_bench_can_plot(error))
        return MZ_EXIT_USAGE;
    r->table.format = r->csv ? &mz_bench_as_csv : r->json ? &mz_bench_as_json : &mz_bench_as_table;
    if (r->table.table->programs)
        mz_without_randomisation(argv - 1);
    return mz_bench_run(&r->table, error);
}

/* ---- irs ------------------------------------------------------------------------------------------------
 */

typedef struct irs_request {
    mz_irs_request irs;
    bool help;
} irs_request;

#define IRS(type_, field) .type = MZ_OPTION_##type_, .at = offsetof(irs_request, field)

static const mz_option irs_options[] = {
    {"runs", 0, "N", "how often each (default: 1000; what takes a second: a 50th of it)",
     IRS(COUNT, irs.runs)},
    {"rows", 0, "NAME", "only this benchmark", IRS(TEXT, irs.only)},
    {"csv", 0, NULL, "print comma-separated values", IRS(SWITCH, irs.csv)},
    {"plot", 0, "FILE.svg", "also draw the overhead over the constraints (needs gnuplot)",
     IRS(TEXT, irs.plot)},
    {"help", 'h', NULL, "this text", IRS(SWITCH, help)},
};

static void print_irs_help(const mz_command_line *line)
{
    mz_text text = {0};
    mz_text_add(
        &text,
        "usage: mazurka bench irs [options]\n\n"
        "Runs small programs under plans, from all constraints of their first trace to none, and prints the\n"
        "time that their threads take, beside what the document on iteratively relaxed scheduling measured\n"
        "with all and with no constraints (its programs have other traces): indexer and last_zero with a "
        "plain\n"
        "and, as ..._opt, with the trace that was fastest in short runs; programs with two threads also, as\n"
        "..._turns, with one operation of each in turn. A program with two inputs, equal and\n"
        "different. And three programs that compute for a second, under the first 1,000 events of their "
        "plans\n"
        "and under none.\n\n"
        "options:\n");
    mz_options_help(line, &text);
    mz_print_help(stdout, mz_text_string(&text));
    mz_text_release(&text);
}

static void refuse_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    (void)context;
    (void)after_dashes;
    mz_error_set(error, (mz_position){0}, "'%s' is not expected", word);
}

static void run_irs(int argc, char **argv, mz_error *error)
{
    enum { DEFAULT_RUNS = 1000 };
    irs_request q = {.irs = {.runs = DEFAULT_RUNS}};
    mz_command_line line = {.word = refuse_word};
    mz_options_offer(&line, irs_options, sizeof irs_options / sizeof *irs_options, 0, &q);
    mz_options_parse(&line, argc, argv, error);
    if (!error->set && q.help) {
        print_irs_help(&line);
    } else if (!error->set && (!q.irs.plot || mz_bench_can_plot(error))) {
        mz_without_randomisation(argv - 2);
        mz_bench_irs(&q.irs, error);
    }
    mz_options_release(&line);
}

static int run(int argc, char **argv, mz_error *error)
{
    request r = {.table = {.row_seconds = 10}};
    int code = MZ_EXIT_SAFE;
    mz_command_line line = {.context = &r, .word = take_word};
    mz_offer_bench(&line, &r);
    mz_options_parse(&line, argc, argv, error);
    if (!error->set && r.help) {
        print_help(&line);
    } else if (!error->set && !r.table.table) {
        printf("Published tables; mazurka bench TABLE runs one, mazurka bench --help says more.\n\n");
        mz_text tables = {0};
        add_tables(&tables);
        mz_print_help(stdout, mz_text_string(&tables));
        mz_text_release(&tables);
    } else if (!error->set) {
        code = run_table(&r, argv, error);
    }
    mz_options_release(&line);
    return code;
}

int mz_command_bench(int argc, char **argv)
{
    mz_error error = {0};
    mz_text nothing = {0};
    int code = MZ_EXIT_SAFE;
    if (argc > 1 && strcmp(argv[1], "irs") == 0)
        run_irs(argc - 1, argv + 1, &error);
    else
        code = run(argc, argv, &error);
    return mz_print_error("bench", &error) ? MZ_EXIT_USAGE : mz_print("bench", &nothing, NULL, code);
}
