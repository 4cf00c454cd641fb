#include "session/ranks/explore.h"

#include <string.h>

#include "model/model.h"
#include "session/result.h"
#include "session/saving.h"
#include "session/worker.h"

static void explore_model(const mz_rank_job *job, mz_settings *s)
{
    mz_error error = {0};
    mz_result result = {0};
    mz_saving saving = {.settings = s, .program = mz_text_string(&job->saved.program), .compiler = ""};
    mz_model *model = mz_model_parse(job->file, (const char *)job->contents.data, job->contents.length,
                                     s->definitions, s->definition_count, &error);
    if (error.set)
        return;
    s->saving = &saving;
    mz_result_run(&result, mz_model_machine(model, s->search.memory), s, job->file, s->algorithms[0]);
}

static void explore_program(const mz_rank_job *job, const mz_settings *s, mz_shared *shared)
{
    const mz_check_job check = {.settings = s,
                                .program = mz_text_string(&job->saved.program),
                                .compiled = &job->compiled,
                                .algorithm = s->algorithms[0],
                                .begun = mz_seconds_now()};
    mz_worker_check(&check, shared);
}

/* As at home, but for what is home's: files, and the terminal. */
void mz_explore_job(const mz_rank_job *job, mz_settings *s, const mz_pool_home *home, mz_shared *shared)
{
    const mz_algorithm *algorithm = mz_find_algorithm(mz_text_string(&job->saved.algorithm));
    if (!algorithm || s->native != job->is_native)
        return;
    s->algorithm_count = 0;
    mz_settings_use_algorithm(s, algorithm);
    s->resumed = &job->saved;
    s->home = home;
    s->jobs = 1;
    s->quiet = true;
    s->checkpoint = NULL;
    s->nondet_low = job->nondet_low;
    s->nondet_high = job->nondet_high;
    if (job->is_native)
        explore_program(job, s, shared);
    else
        explore_model(job, s);
}
