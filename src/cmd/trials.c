#include "cmd/trials.h"

#include "cmd/run_measure.h"

bool mz_trials_wanted(const mz_settings *settings)
{
    return settings->first_trace == MZ_FIRST_FREE_RUN;
}

static mz_run_program program_of(const mz_trials *t)
{
    return (mz_run_program){.path = t->runnable->path,
                            .name = t->settings->files[0],
                            .arguments = &t->settings->arguments,
                            .plan = -1,
                            .record = -1,
                            .output = -1};
}

static void observe(mz_trials *t, mz_error *error)
{
    mz_run_program program = program_of(t);
    t->free_run = mz_run_observe(&program, &t->descriptor, error);
    t->settings->free_run = t->free_run;
}

bool mz_trials_begin(mz_trials *t, mz_settings *settings, mz_runnable *runnable, mz_error *error)
{
    *t = (mz_trials){.settings = settings, .runnable = runnable, .descriptor = -1};
    if (settings->first_trace == MZ_FIRST_FREE_RUN)
        observe(t, error);
    return !error->set;
}

void mz_trials_end(mz_trials *t)
{
    mz_run_record_release(t->free_run, t->descriptor);
}
