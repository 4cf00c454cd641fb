#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/options.h"
#include "cmd/command.h"
#include "session/worker.h"
#include "session/result.h"
#include "session/sources.h"
#include "session/trace_file.h"
#include "session/wide.h"
#include "model/model.h"

static const mz_option options[] = {
    {"json", 0, NULL, "print the result as JSON on standard output", 'j'},
    {"help", 'h', NULL, "this text", 'h'},
};
enum { OPTIONS = sizeof options / sizeof *options };

typedef struct request {
    const char *file;
    bool json, help;
} request;

/* ---- running it ------------------------------------------------------------------------------------------
 */

/* Threads that wait in a loop of their own have to be seen going round once before it is known that they do.
 */
static void go_on(mz_machine *machine)
{
    enum { MOST_STEPS = 2000 };
    mz_choices choices = {0};
    mz_operation executed;
    uint32_t thread = MZ_MAX_THREADS;
    for (int i = 0; i < MOST_STEPS && mz_threads_any(machine->status->ready); i++) {
        do
            thread = thread >= MZ_MAX_THREADS - 1 ? 0 : thread + 1;
        while (!mz_threads_has(machine->status->ready, thread));
        mz_choices_prescribe(&choices, NULL, 0);
        if (machine->class->step(machine, thread, &choices, &executed) == MZ_STEP_GIVEN_UP)
            break;
    }
    mz_release(choices.made);
}

static bool run_again(mz_trace *trace, mz_machine *machine, size_t *done, mz_text *difference)
{
    enum { ROUNDS = 24 };
    mz_problem *problem = &trace->problem;
    mz_failure_kind kind = problem->failure.kind;
    bool waits = trace->settings.native && (kind == MZ_FAIL_DEADLOCK || kind == MZ_FAIL_LIVELOCK);
    machine->ignore_assertions = !(trace->settings.search.checks & (1u << MZ_FAIL_ASSERTION));
    bool alike = mz_witness_replay(problem, machine, done, difference);
    for (int i = 0; waits && !alike && *done == problem->step_count &&
                    mz_threads_any(machine->status->ready) && i < ROUNDS;
         i++) {
        go_on(machine);
        alike = mz_witness_replay(problem, machine, done, difference);
    }
    if (alike &&
        kind == MZ_FAIL_RACE) /* now that it is known what to look for: where was the earlier access? */
        alike = mz_witness_replay(problem, machine, done, difference);
    for (uint32_t i = 0; alike && i < machine->failure_count; i++)
        if (mz_failure_same(&machine->failures[i], &problem->failure)) {
            mz_failure_copy(&problem->failure, &machine->failures[i]); /* in its own words */
            break;
        }
    return alike;
}

static uint32_t count_threads(const mz_status *s)
{
    return mz_threads_count(s->ready | s->blocked | s->finished | s->pruned | s->failed);
}

/* The report points into the trace; its one error is to be released. */
static void fill_report(mz_report *report, mz_report_error *error, const mz_trace *trace,
                        const mz_machine *machine, size_t done, const char *difference)
{
    mz_problem shown = trace->problem;
    shown.step_count = done;
    mz_report_error_fill(error, &shown);
    *report = (mz_report){.version = MZ_VERSION,
                          .program = trace->settings.files[0],
                          .algorithm = "replay",
                          .equivalence_word = "traces",
                          .thread_word = machine->class->thread_word,
                          .verdict = difference[0] ? "incomplete" : "unsafe",
                          .reason = difference,
                          .share_done = 1,
                          .peak_bytes = mz_memory_peak(),
                          .thread_count = count_threads(machine->status),
                          .checks = trace->settings.search.checks & machine->class->failure_kinds,
                          .errors = error,
                          .error_count = 1};
}

static int print_report(const request *q, const mz_report *report)
{
    FILE *people = q->json ? stderr : stdout;
    mz_style style = {.colour = isatty(fileno(people)) && !getenv("NO_COLOR")};
    mz_text text = {0};
    for (size_t i = 0; i < report->error_count; i++)
        report->errors[i].trace = q->file;
    mz_report_replay(report, q->file, style, &text);
    fputs(mz_text_string(&text), people);
    if (q->json) {
        mz_text_clear(&text);
        mz_report_json(report, &text);
        printf("%s\n", mz_text_string(&text));
    }
    mz_text_release(&text);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "mazurka replay: error: the result could not be written to standard output\n");
        return MZ_EXIT_INTERNAL;
    }
    return report->reason[0] ? MZ_EXIT_INCOMPLETE : MZ_EXIT_BUG;
}

/* ---- models ----------------------------------------------------------------------------------------------
 */

static int replay_model(const request *q, mz_trace *trace, mz_error *error)
{
    mz_settings *s = &trace->settings;
    mz_model *model = mz_model_load(s->files[0], s->definitions, s->definition_count, error);
    if (!model)
        return MZ_EXIT_USAGE;
    mz_machine *machine = mz_model_machine(model);
    mz_text difference = {0};
    mz_report report;
    mz_report_error shown;
    size_t done;
    run_again(trace, machine, &done, &difference);
    fill_report(&report, &shown, trace, machine, done, mz_text_string(&difference));
    int code = print_report(q, &report);
    mz_report_error_release(&shown);
    mz_text_release(&difference);
    machine->class->destroy(machine);
    mz_model_destroy(model);
    return code;
}

/* ---- programs --------------------------------------------------------------------------------------------
 */

typedef struct job {
    mz_trace *trace;
    const mz_compiled *compiled;
} job;

/* In the worker: what it allocates goes with it. */
static void work(const void *context, mz_shared *shared)
{
    const job *j = context;
    mz_machine *machine = mz_native_load(&j->trace->settings, j->compiled, shared);
    if (!machine)
        return;
    if (!mz_native_set_thread_paths(machine, mz_text_string(&j->trace->threads)) ||
        !mz_native_set_knowledge(machine, mz_text_string(&j->trace->shared))) {
        snprintf(shared->message, sizeof shared->message,
                 "the lines 'threads' and 'shared' of the file do not fit the program; check it again");
        return;
    }
    mz_text difference = {0};
    mz_report report;
    mz_report_error shown;
    size_t done;
    mz_native_narrate(machine, true);
    mz_native_go_on(machine, NULL);
    mz_native_limit_steps(machine, j->trace->settings.search.limits.depth);
    run_again(j->trace, machine, &done, &difference);
    fill_report(&report, &shown, j->trace, machine, done, mz_text_string(&difference));
    report.output = mz_native_output(machine);
    mz_share_report(shared, &report);
}

static int replay_compiled(const request *q, mz_trace *trace, const mz_compiled *compiled, mz_error *error)
{
    mz_text end = {0};
    mz_sources sources = {0};
    bool was_stuck;
    mz_catch_interrupts(true);
    mz_shared *shared = mz_run_worker(work, &(job){trace, compiled}, 0, &end, &was_stuck, error);
    int code = MZ_EXIT_USAGE;
    if (!error->set && shared->finished) {
        mz_sources_show(&sources, &shared->report);
        code = print_report(q, &shared->report);
    } else if (!error->set) {
        mz_report report = {.version = MZ_VERSION,
                            .program = trace->settings.files[0],
                            .algorithm = "replay",
                            .equivalence_word = "traces",
                            .thread_word = "thread",
                            .verdict = "incomplete",
                            .reason = mz_text_string(&end),
                            .checks = trace->settings.search.checks & MZ_NATIVE_FAILURES};
        code = print_report(q, &report);
    }
    mz_sources_release(&sources);
    mz_text_release(&end);
    return code;
}

static int replay_program(const request *q, mz_trace *trace, mz_error *error)
{
    mz_compiled compiled = {0};
    int code = MZ_EXIT_USAGE;
    if (mz_native_build(&trace->settings, &compiled, error)) {
        fputs(compiled.warnings ? compiled.warnings : "", stderr);
        code = replay_compiled(q, trace, &compiled, error);
    }
    if (error->set) { /* its position may point into what is released now */
        mz_text text = {0};
        mz_error_print(error, &text);
        fputs(mz_text_string(&text), stderr);
        mz_text_release(&text);
        mz_error_release(error);
        *error = (mz_error){0};
    }
    mz_compiled_release(&compiled);
    return code;
}

/* ---- the command -----------------------------------------------------------------------------------------
 */

static void print_help(void)
{
    mz_text text = {0};
    mz_text_add(
        &text,
        "usage: mazurka replay [options] FILE.mzt\n\n"
        "Runs a counterexample that 'mazurka check' has written again: builds the program (or loads the\n"
        "model) that it names, performs exactly its steps, and shows them with what the program printed.\n"
        "Names of files in it are relative to where the check ran; replay it there.\n\noptions:\n");
    mz_options_help(options, OPTIONS, &text);
    mz_text_add(
        &text,
        "\nexit codes: 1 it fails in the same way, 3 it goes otherwise (the first difference is shown),\n"
        "2 wrong usage or input, 4 internal error\n");
    fputs(mz_text_string(&text), stdout);
    mz_text_release(&text);
}

static void parse(request *q, int argc, char **argv, mz_error *error)
{
    mz_option_parser parser = {.options = options, .count = OPTIONS, .argc = argc, .argv = argv, .next = 1};
    for (int id; !error->set && (id = mz_options_next(&parser, error)) != MZ_OPTION_END;) {
        if (id == MZ_OPTION_WORD && q->file)
            mz_error_set(error, (mz_position){0}, "one counterexample at a time: '%s' is too much",
                         parser.word);
        else if (id == MZ_OPTION_WORD)
            q->file = parser.word;
        q->json |= id == 'j';
        q->help |= id == 'h';
    }
    if (!error->set && !q->help && !q->file) {
        mz_error_set(error, (mz_position){0}, "nothing to replay: name a counterexample");
        mz_error_set_hint(error, "mazurka check writes one, NAME.mzt, when it finds an error");
    }
}

/* Whose highest number? There is one word for each thread but the first. */
static uint32_t count_all(const mz_trace *trace)
{
    uint32_t words = 1, last = trace->problem.failure.thread;
    for (const char *word = mz_text_string(&trace->threads); (word = strchr(word, '.')); word++)
        words++;
    for (size_t i = 0; i < trace->problem.step_count; i++)
        last = trace->problem.steps[i].thread > last ? trace->problem.steps[i].thread : last;
    return words > last ? words : last + 1;
}

static bool load(mz_trace *trace, const char *file, mz_error *error)
{
    if (!mz_trace_load(trace, file, error))
        return false;
    if (count_all(trace) <= MZ_MAX_THREADS)
        return true;
    mz_go_wide();
    mz_error_set(error, (mz_position){.file = file}, "it has more than %d threads", MZ_MAX_THREADS);
    mz_error_set_hint(error, "mazurka-wide can follow them; it is to be beside mazurka");
    return false;
}

int mz_command_replay(int argc, char **argv)
{
    request q = {0};
    mz_error error = {0};
    int code = MZ_EXIT_USAGE;
    parse(&q, argc, argv, &error);
    if (!error.set && q.help) {
        print_help();
        return MZ_EXIT_SAFE;
    }
    mz_trace trace = {0};
    if (!error.set && load(&trace, q.file, &error)) {
        if (trace.settings.native)
            mz_without_randomisation(argv - 1);
        code = trace.settings.native ? replay_program(&q, &trace, &error) : replay_model(&q, &trace, &error);
    }
    if (error.set) {
        mz_text text = {0};
        mz_error_print(&error, &text);
        fprintf(stderr, "%s%s", error.position.file ? "" : "mazurka replay: ", mz_text_string(&text));
        mz_text_release(&text);
        code = MZ_EXIT_USAGE;
    }
    mz_error_release(&error);
    mz_trace_release(&trace);
    return code;
}
