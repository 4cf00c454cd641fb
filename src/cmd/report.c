/* `mazurka report`: a page about a counterexample, or about a check. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "report/formats.h"
#include "session/process/supervisor.h"
#include "session/replay.h"

static void print_help(void)
{
    mz_print_help(
        stdout,
        "usage: mazurka report FILE.mzt -o PAGE.html\n"
        "       mazurka report [options of mazurka check] FILE … -o PAGE.html\n\n"
        "Writes a page, for a browser, that shows a counterexample step by step: its threads side by side,\n"
        "what happens before what, the source, and memory. Of a counterexample that 'mazurka check' has\n"
        "written, which is replayed; or of a check that is made now (as with mazurka check "
        "--html=PAGE.html).\n"
        "The page needs nothing else: it can be sent to somebody.\n\n"
        "  -o, --output=FILE  where to write it (default: report.html)\n\n"
        "exit codes: as of mazurka replay and mazurka check");
}

static bool is_counterexample(const char *word)
{
    size_t length = strlen(word);
    return length > 4 && strcmp(word + length - 4, ".mzt") == 0;
}

static int report_counterexample(const char *file, const char *page, char **argv, mz_error *error)
{
    mz_replay r;
    mz_text nothing = {0};
    mz_outputs outputs = {0};
    int code = MZ_EXIT_USAGE;
    mz_outputs_ask(&outputs, MZ_FORMAT_html, page, error);
    mz_outputs_try(&outputs, error);
    if (!error->set && mz_replay_load(&r, file, error)) {
        if (r.trace.settings.native)
            mz_without_randomisation(argv - 1);
        char *there = realpath(page, NULL); /* the replay may be elsewhere */
        outputs.paths[MZ_FORMAT_html] = there ? there : page;
        mz_replay_run(&r, error);
        for (size_t i = 0; !error->set && i < r.report.error_count; i++)
            r.report.errors[i].trace = file;
        if (!error->set)
            mz_outputs_write(&outputs, &r.report, 1, &nothing, error);
        if (!error->set)
            printf("%s: written\n", page);
        code = r.report.reason && r.report.reason[0] ? MZ_EXIT_INCOMPLETE : MZ_EXIT_BUG;
        free(there);
        mz_replay_release(&r);
    }
    return code;
}

/* The words without -o, and with --html instead. */
static int report_check(const mz_words *words, const char *page)
{
    mz_words all = {0};
    mz_words_add(&all, "mazurka"); /* who begins again has all words */
    mz_words_add(&all, "check");
    mz_words_add_prefixed(&all, "--html=", page);
    mz_words_add_list(&all, mz_words_list(words), words->count);
    char **argv = mz_allocate_zeroed(all.count + 1, sizeof *argv);
    memcpy(argv, all.items, all.count * sizeof *argv);
    int code = mz_command_check((int)all.count - 1, argv + 1);
    mz_release(argv);
    mz_words_release(&all);
    return code;
}

int mz_command_report(int argc, char **argv)
{
    mz_error error = {0};
    mz_words words = {0};
    const char *page = "report.html", *counterexample = NULL;
    int code = MZ_EXIT_SAFE;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            mz_words_release(&words);
            return MZ_EXIT_SAFE;
        }
        if ((strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--output") == 0) && i + 1 < argc)
            page = argv[++i];
        else if (strncmp(argv[i], "--output=", 9) == 0)
            page = argv[i] + 9;
        else if (strncmp(argv[i], "-o", 2) == 0 && argv[i][2])
            page = argv[i] + 2;
        else
            mz_words_add(&words, argv[i]);
        if (is_counterexample(argv[i]) && argv[i][0] != '-')
            counterexample = argv[i];
    }
    if (counterexample && words.count > 1)
        mz_error_set(&error, (mz_position){0}, "one counterexample at a time, without other options");
    else if (counterexample)
        code = report_counterexample(counterexample, page, argv, &error);
    else
        code = report_check(&words, page);
    mz_words_release(&words);
    return mz_print_error("report", &error) ? MZ_EXIT_USAGE : code;
}
