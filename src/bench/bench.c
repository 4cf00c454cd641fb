/* The same benchmarks at the same parameters as in the papers, and the published numbers beside ours. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/options.h"
#include "bench/bench.h"
#include "bench/embedded.h"
#include "model/model.h"
#include "program/build/compile.h"
#include "report/verdict.h"
#include "session/progress.h"

/* A process that is larger than this is stopped before the system does it. */
static const uint64_t most_memory = UINT64_C(4) << 30;

/* ---- running ----------------------------------------------------------------------------------------- */

/* From words as after -a: a name, and its options. NULL if there is none of that name. */
static const mz_algorithm *algorithm_of(const char *text, mz_search_options *options, mz_error *error)
{
    char **words;
    size_t count;
    mz_command_line line = {0};
    mz_split_words(text, &words, &count);
    const mz_algorithm *found = mz_find_algorithm(words[0]);
    for (size_t i = 0; found && found->options && found->options[i]; i++)
        mz_options_offer(&line, found->options[i], 1, MZ_FOR_CHECK, options);
    mz_options_parse(&line, (int)count, words, error);
    mz_options_release(&line);
    for (size_t i = 0; i < count; i++)
        mz_release(words[i]);
    mz_release(words);
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

static void run_model(mz_bench_row *row, const mz_algorithm *algorithm, const mz_search_options *options,
                      mz_error *error)
{
    mz_model *model = load(row->model, row->parameter, error);
    if (!model)
        return;
    mz_machine *machine = mz_model_machine(model, MZ_MEMORY_SC);
    mz_bench_explore(row, algorithm, machine, options);
    machine->class->destroy(machine);
    mz_model_destroy(model);
}

/* *error set if the model is wrong, which is our mistake, or the program cannot be compiled here. */
static void run_row(const mz_bench *b, mz_bench_row *row, double seconds, mz_error *error)
{
    mz_search_options options = {.checks = MZ_FAILURES_DEFAULT, .all_errors = true};
    const mz_algorithm *algorithm = algorithm_of(row->algorithm, &options, error);
    row->status = MZ_BENCH_NOT_BUILT;
    if (!algorithm || error->set)
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

/* Speed-up as in the paper: the share of the time of its SDPOR that is saved. */
static void compare_times(mz_bench *b, size_t index)
{
    mz_bench_row *row = &b->rows[index];
    for (size_t i = first_of(b, index); b->published[MZ_BENCH_speedup] && i < index; i++) {
        const mz_bench_row *other = &b->rows[i];
        if (other->published_algorithm && strcmp(other->published_algorithm, "SDPOR") == 0 &&
            other->status == MZ_BENCH_COMPLETE && row->status == MZ_BENCH_COMPLETE &&
            other->ours[MZ_BENCH_seconds].value > 0)
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
int mz_bench_run(const mz_bench_request *r, mz_error *error)
{
    const mz_bench_format *format = r->format;
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
        compare_times(&b, done);
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
