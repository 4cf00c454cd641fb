#include "cmd/rank.h"

#include <unistd.h>

#include "cmd/request.h"
#include "session/ranks/explore.h"

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
