#include "session/replay.h"

#include <stdio.h>

#include "base/options.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/stepping/gdb.h"
#include "cmd/stepping/step.h"
#include "session/process/supervisor.h"

typedef struct request {
    const char *file;
    const char *debugger_step;
    bool json, help, debugger, steps;
} request;

static void use_debugger(void *target, const char *value, mz_error *error)
{
    request *q = target;
    uint32_t number;
    q->debugger = true;
    q->debugger_step = value;
    if (value)
        mz_parse_small("gdb", value, &number, error);
}

static const mz_option options[] = {
    {"json", 0, NULL, "print the result as JSON on standard output", .type = MZ_OPTION_SWITCH,
     .at = offsetof(request, json)},
    {"step", 0, NULL, "go through the steps, forward and backward: keys, or commands from a file",
     .type = MZ_OPTION_SWITCH, .at = offsetof(request, steps), .excludes = "json"},
    {"gdb", 0, "[N]", "the program under gdb, before step N (default: where it fails)", .set = use_debugger},
    {"help", 'h', NULL, "this text", .type = MZ_OPTION_SWITCH, .at = offsetof(request, help)},
};

void mz_offer_replay(mz_command_line *line, void *target)
{
    mz_options_offer(line, options, sizeof options / sizeof *options, 0, target);
}

static void take_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    request *q = context;
    (void)after_dashes;
    if (q->file)
        mz_error_set(error, (mz_position){0}, "one counterexample at a time: '%s' is too much", word);
    q->file = word;
}

static void print_help(const mz_command_line *line)
{
    mz_text text = {0};
    mz_text_add(
        &text,
        "usage: mazurka replay [options] FILE.mzt\n\n"
        "Runs a counterexample that 'mazurka check' has written again: builds the program (or loads the\n"
        "model) that it names, performs exactly its steps, and shows them with what the program printed.\n"
        "Names of files in it are relative to the current directory, or else to where the check "
        "ran.\n\noptions:\n");
    mz_options_help(line, &text);
    mz_text_add(
        &text,
        "\nexit codes: 1 it fails in the same way, 3 it goes otherwise (the first difference is shown),\n"
        "2 wrong usage or input, 4 internal error\n");
    mz_print_help(stdout, mz_text_string(&text));
    mz_text_release(&text);
}

static int print(const request *q, const mz_report *report)
{
    mz_text text = {0}, json = {0};
    for (size_t i = 0; i < report->error_count; i++)
        report->errors[i].trace = q->file;
    mz_report_replay(report, q->file, mz_style_of(q->json), &text);
    if (q->json) {
        mz_report_json(report, &json);
        mz_text_add(&json, "\n");
    }
    return mz_print("replay", &text, q->json ? &json : NULL,
                    report->reason[0] ? MZ_EXIT_INCOMPLETE : MZ_EXIT_BUG);
}

static int debug(const request *q, const mz_replay *r, mz_error *error)
{
    if (!r->trace.settings.native) {
        mz_error_set(error, (mz_position){0}, "option --gdb: a model is no program");
        mz_error_set_hint(error, "--step goes through its steps");
        return MZ_EXIT_USAGE;
    }
    if (r->report.reason[0])
        return MZ_EXIT_INCOMPLETE;
    fflush(stdout);
    return mz_gdb_run(q->file, q->debugger_step, error);
}

static int replay(const request *q, char **argv, mz_error *error)
{
    mz_replay r;
    int code = MZ_EXIT_USAGE;
    if (mz_replay_load(&r, q->file, error)) {
        if (r.trace.settings.native)
            mz_without_randomisation(argv - 1);
        mz_replay_run(&r, error);
        if (!error->set)
            code = print(q, &r.report);
        if (!error->set && q->steps)
            mz_step_through(&r.report, mz_style_of(false));
        if (!error->set && q->debugger)
            code = debug(q, &r, error);
    }
    mz_replay_release(&r);
    return code;
}

int mz_command_replay(int argc, char **argv)
{
    request q = {0};
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    mz_command_line line = {.context = &q, .word = take_word};
    mz_offer_replay(&line, &q);
    mz_options_parse(&line, argc, argv, &error);
    if (!error.set && !q.help && !q.file) {
        mz_error_set(&error, (mz_position){0}, "nothing to replay: name a counterexample");
        mz_error_set_hint(&error, "mazurka check writes one, NAME.mzt, when it finds an error");
    }
    if (!error.set && q.help)
        print_help(&line);
    else if (!error.set)
        code = replay(&q, argv, &error);
    mz_options_release(&line);
    return mz_print_error("replay", &error) ? MZ_EXIT_USAGE : code;
}
