#include "safe/run/run_measure.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "safe/run/run_patience.h"
#include "search/limits.h"

enum { LONGEST_RUN = 10, FEWEST_RUNS = 5, MOST_RUNS = 1000, OBSERVED_SLOTS = 1 << 20, MOST_OBSERVED = 10 };

/* Until it ends; false: it had to be ended. */
static bool wait_for_end(pid_t process, int *status)
{
    bool in_time = mz_run_ends_within(process, LONGEST_RUN);
    if (!in_time)
        kill(process, SIGKILL);
    while (waitpid(process, status, 0) < 0 && errno == EINTR)
        continue;
    return in_time;
}

/* Without constraints the program may fail: that is what they are for. Such a run says nothing. */
typedef enum ending { ENDED_WELL, FAILED_FREELY, ENDED_BADLY } ending;

static ending run_once(const mz_run_program *program, double *seconds, mz_error *error)
{
    int status = 0;
    double begun = mz_seconds_now();
    pid_t process = mz_run_start(program, error);
    if (!process)
        return ENDED_BADLY;
    bool in_time = wait_for_end(process, &status), is_free = program->plan < 0 || program->record >= 0;
    *seconds = mz_seconds_now() - begun;
    const char *what = "a trial run of the program";
    if (in_time && WIFSIGNALED(status) && is_free)
        return FAILED_FREELY;
    if (!in_time)
        mz_error_set(error, (mz_position){0}, "%s did not end within %d s", what, LONGEST_RUN);
    else if (WIFSIGNALED(status))
        mz_error_set(error, (mz_position){0}, "%s was ended by signal %d (%s)", what, WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
    else if (!is_free && WEXITSTATUS(status) == MZ_PLAN_EXIT_DIVERGED)
        mz_error_set(error, (mz_position){0}, "%s did what was not verified, and was stopped", what);
    return error->set ? ENDED_BADLY : ENDED_WELL;
}

/* Until one ends well. */
static bool run_well(const mz_run_program *program, double *seconds, mz_error *error)
{
    enum { MOST_FAILURES = 50 };
    ending how = FAILED_FREELY;
    for (int i = 0; i < MOST_FAILURES && how == FAILED_FREELY; i++)
        how = run_once(program, seconds, error);
    if (how == FAILED_FREELY)
        mz_error_set(error, (mz_position){0},
                     "without constraints the program failed %d times one after the other", MOST_FAILURES);
    return how == ENDED_WELL;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Those that are not given; the same ones each time. */
#define ANY_INPUTS "random 1"

bool mz_run_measure(const mz_run_program *program, mz_run_point *points, size_t count, double seconds,
                    mz_error *error)
{
    mz_run_program trial = *program;
    double *times = mz_allocate_zeroed(count * MOST_RUNS, sizeof *times), begun = mz_seconds_now(), ignored;
    size_t rounds = 0;
    trial.apart = true;
    trial.inputs = ANY_INPUTS;
    trial.path = points[0].path;
    trial.plan = points[0].plan;
    run_well(&trial, &ignored, error); /* what it loads is in memory from now on */
    while (!error->set && rounds < MOST_RUNS &&
           (rounds < FEWEST_RUNS || mz_seconds_now() - begun < seconds)) {
        for (size_t i = 0; i < count && !error->set; i++) {
            trial.path = points[i].path;
            trial.plan = points[i].plan;
            run_well(&trial, &times[i * MOST_RUNS + rounds], error);
        }
        rounds++;
    }
    for (size_t i = 0; i < count; i++) {
        qsort(times + i * MOST_RUNS, rounds, sizeof *times, compare);
        points[i].seconds = times[i * MOST_RUNS + rounds / 2];
    }
    mz_release(times);
    return !error->set;
}

mz_record_header *mz_run_observe(const mz_run_program *program, int *descriptor, mz_error *error)
{
    mz_symbolic_plan nothing;
    mz_run_program trial = *program;
    double ignored;
    mz_record_header *record = mz_run_record_make(OBSERVED_SLOTS, descriptor, error);
    mz_symbolic_init(&nothing);
    mz_symbolic_add_plan(&nothing);
    trial.apart = true;
    trial.inputs = ANY_INPUTS;
    trial.record = *descriptor;
    trial.plan = error->set ? -1 : mz_run_make_image(&nothing, 0, NULL, error);
    for (int i = 0; i < MOST_OBSERVED && !error->set; i++) {
        mz_run_record_clear(record);
        if (run_once(&trial, &ignored, error) == ENDED_WELL)
            break; /* otherwise what was seen is no candidate either */
    }
    if (trial.plan >= 0)
        close(trial.plan);
    mz_symbolic_release(&nothing);
    if (error->set) {
        mz_run_record_release(record, *descriptor);
        *descriptor = -1;
        return NULL;
    }
    return record;
}
