#include "session/check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/check.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/project/project.h"
#include "cmd/request.h"
#include "pool/pool.h"
#include "session/process/channels.h"
#include "session/process/supervisor.h"
#include "session/ranks/explore.h"

/* One after the other, and then all in one table. */
static void add_for_people(const mz_check *check, mz_style style, mz_text *text)
{
    for (size_t i = 0; i < check->count; i++) {
        mz_text_add(text, "%s", i ? "\n" : "");
        mz_report_text(&check->reports[i], style, text);
    }
    if (check->count > 1) {
        mz_text_add(text, "\n");
        mz_report_comparison(check->reports, check->count, style, text);
    }
}

static int print(const char *command, const mz_check *check, const mz_outputs *outputs, mz_error *error)
{
    bool for_programs = mz_outputs_take_stdout(outputs);
    mz_text text = {0}, programs = {0};
    mz_verdict gravest = MZ_SAFE;
    for (size_t i = 0; i < check->count; i++)
        gravest = mz_verdict_gravest(gravest, mz_report_verdict(&check->reports[i]));
    add_for_people(check, mz_style_of(for_programs), &text);
    mz_outputs_write(outputs, check->reports, check->count, &programs, error);
    return mz_print(command, &text, for_programs ? &programs : NULL, mz_verdict_exit_code(gravest));
}

static void write_text(const char *path, const char *text, const char *what)
{
    if (path && text && !mz_file_write(path, text, strlen(text)))
        fprintf(stderr, "%s: warning: the %s cannot be written\n", path, what);
}

/* Processes come from one side. */
static void refuse_jobs(const mz_settings *s, mz_error *error)
{
    const int *ranks;
    if (mz_ranks(&ranks) == 0 || s->jobs <= 1 || error->set)
        return;
    mz_error_set(error, (mz_position){0}, "option -j: under mpirun every rank is one process");
    mz_error_set_hint(error, "mpirun -np %u mazurka check …", s->jobs);
}

int mz_check_and_print(const char *command, mz_request *request, char **argv, mz_error *error)
{
    int code = MZ_EXIT_SAFE;
    mz_check check = {0};
    refuse_jobs(&request->plan.check, error);
    if (request->plan.check.native)
        mz_without_randomisation(argv);
    mz_outputs_try(&request->outputs, error);
    if (!error->set)
        mz_check_run(&check, &request->plan.check, error);
    if (!error->set && check.count > 0) {
        write_text(request->client_output, check.reports[0].client, "client");
        write_text(request->lcov_output, check.reports[0].lcov, "coverage");
    }
    if (!error->set)
        code = print(command, &check, &request->outputs, error);
    mz_check_release(&check);
    return code;
}

/* The command is the one of rank 0. Where its directory is not there, names of files that options give mean
 * those of this one. */
void mz_explore_for_rank(const mz_rank_job *job, const mz_pool_home *home, mz_shared *shared)
{
    mz_request request;
    mz_error error = {0};
    mz_words words = {0};
    const mz_words *command = &job->saved.command;
    mz_words_add(&words, "check");
    mz_words_add_list(&words, mz_words_list(command), command->count);
    bool is_there = chdir(mz_text_string(&job->saved.directory)) == 0;
    (void)is_there;
    mz_request_parse(&request, MZ_FOR_CHECK, (int)words.count, words.items, &error);
    if (!error.set)
        mz_explore_job(job, &request.plan.check, home, shared);
    mz_request_release(&request);
    mz_words_release(&words);
    mz_error_release(&error);
}

/* That nothing would be saved is told now, not after an hour. */
static void try_checkpoint(const mz_settings *s, mz_error *error)
{
    const char *why_not = mz_file_why_not_replaced(s->checkpoint);
    if (why_not)
        mz_error_set(error, (mz_position){0}, "option --checkpoint: '%s' cannot be written: %s",
                     s->checkpoint, why_not);
    else if (s->algorithm_count > 1 || (!s->native && s->file_count > 1))
        mz_error_set(error, (mz_position){0}, "option --checkpoint is for one search, not for several");
    else if ((why_not = mz_pool_why_alone(s->algorithms[0], &s->search, NULL)))
        mz_error_set(error, (mz_position){0}, "option --checkpoint: such a search is not saved: %s", why_not);
}

int mz_command_check(int argc, char **argv)
{
    mz_request request;
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    if (mz_project_is_meant(argc, argv)) {
        code = mz_project_check(argc, argv, &error);
        return mz_print_error("check", &error) ? MZ_EXIT_USAGE : code;
    }
    mz_request_parse(&request, MZ_FOR_CHECK, argc, argv, &error);
    for (int i = 1; i < argc; i++)
        mz_words_add(&request.plan.check.command, argv[i]);
    if (!error.set && !request.help && request.plan.check.checkpoint)
        try_checkpoint(&request.plan.check, &error);
    if (!error.set && request.help)
        mz_request_help(MZ_FOR_CHECK);
    else if (!error.set)
        code = mz_check_and_print("check", &request, argv - 1, &error);
    if (mz_print_error("check", &error))
        code = MZ_EXIT_USAGE;
    mz_request_release(&request);
    return code;
}
