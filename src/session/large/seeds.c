#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "session/large/seeds.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/processors.h"
#include "session/process/wide.h"

/* One of the workers. */
typedef struct seed_job {
    mz_seed_work *work;
    const void *context;
    mz_settings settings;
    mz_shared *shared;
    pid_t process;
    mz_ending ending;
} seed_job;

/* With --all-errors one alone: each would find the same errors. A check has several if somebody asks for
 * them: what is drawn is to be the same on every machine. Where it is whoever draws it, one search has
 * several processes (pool/). */
uint32_t mz_seed_workers(const mz_settings *s, const mz_algorithm *algorithm)
{
    if (!algorithm->samples || (!s->fuzzes && (s->jobs <= 1 || !algorithm->in_one_piece)))
        return 0;
    return s->search.all_errors ? 1 : s->jobs > 0 ? s->jobs : mz_processors();
}

/* The part of --runs=K that is for this one. */
static uint64_t runs_for(uint64_t runs, uint32_t index, uint32_t workers)
{
    return runs / workers + (index < runs % workers);
}

static void work_on_seed(const void *context, mz_shared *shared)
{
    const seed_job *j = context;
    j->work(j->context, &j->settings, shared);
}

static bool start(seed_job *j, double limit, mz_error *error)
{
    j->shared = mz_start_worker(work_on_seed, j, limit, &j->process, error);
    return j->shared;
}

/* ---- whose result is told -------------------------------------------------------------------------------
 */

static uint64_t executions_of(const seed_job *j)
{
    return mz_report_count_of(&j->shared->report, "executions");
}

/* A worker that is gone without a result has met the end of its process: that is an error, too. */
static bool has_error(const seed_job *j)
{
    return j->shared->finished ? j->shared->report.error_count > 0 : !j->ending.was_ended;
}

static bool is_before(const seed_job *a, const seed_job *b)
{
    if (has_error(a) != has_error(b) || a->shared->finished != b->shared->finished)
        return has_error(a) > has_error(b) ||
               (has_error(a) == has_error(b) && a->shared->finished > b->shared->finished);
    return has_error(a) && a->shared->finished && executions_of(a) < executions_of(b);
}

static seed_job *choose(seed_job *jobs, uint32_t count)
{
    seed_job *chosen = &jobs[0];
    for (uint32_t i = 1; i < count; i++)
        if (is_before(&jobs[i], chosen))
            chosen = &jobs[i];
    return chosen;
}

/* ---- one result of all ----------------------------------------------------------------------------------
 */

static void add_counts(seed_job *to, const seed_job *from)
{
    mz_report *r = &to->shared->report;
    const mz_report *other = &from->shared->report;
    mz_report_count *counts = (mz_report_count *)(uintptr_t)r->counts; /* they are in the shared memory */
    for (size_t i = 0; counts && i < r->count_count; i++)
        counts[i].value += mz_report_count_of(other, counts[i].key);
    r->seconds = other->seconds > r->seconds ? other->seconds : r->seconds;
    r->peak_bytes += other->peak_bytes;
}

/* "N executions sampled, no error found", and what has stopped a worker before its time. */
static void say_what_was_sampled(seed_job *chosen, const seed_job *jobs, uint32_t count)
{
    mz_report *r = &chosen->shared->report;
    mz_text reason = {0};
    uint64_t executions = executions_of(chosen);
    const char *other = r->only_sampled ? "" : r->reason;
    for (uint32_t i = 0; i < count && !*other; i++)
        if (jobs[i].shared->finished && !jobs[i].shared->report.only_sampled)
            other = jobs[i].shared->report.reason;
    mz_text_add_grouped(&reason, executions);
    mz_text_add(&reason, " execution%s sampled, no error found%s%s", executions == 1 ? "" : "s",
                *other ? "; " : "", other);
    r->reason = mz_share_text(chosen->shared, mz_text_string(&reason));
    mz_text_release(&reason);
}

static void add_up(seed_job *chosen, const seed_job *jobs, uint32_t count)
{
    if (!chosen->shared->finished)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (&jobs[i] != chosen && jobs[i].shared->finished)
            add_counts(chosen, &jobs[i]);
    if (chosen->shared->report.verdict == MZ_INCOMPLETE && !chosen->shared->gave_up)
        say_what_was_sampled(chosen, jobs, count);
}

static bool too_many_threads(const seed_job *jobs, uint32_t count)
{
    bool too_many = false;
    for (uint32_t i = 0; i < count; i++)
        too_many |= jobs[i].shared->flight.too_many_threads;
    return too_many;
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

/* How many executions are enough: shared by all. */
static _Atomic uint64_t *share_limit(void)
{
    void *shared = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return NULL;
    _Atomic uint64_t *most = shared;
    atomic_init(most, UINT64_MAX);
    return most;
}

static bool start_all(seed_job *jobs, uint32_t workers, const seed_job *what, double limit, uint32_t *started,
                      mz_error *error)
{
    uint64_t runs = what->settings.search.runs;
    if (runs > 0 && runs < workers)
        workers = (uint32_t)runs;
    for (; *started < workers; ++*started) {
        seed_job *j = &jobs[*started];
        *j = *what;
        j->settings.search.seed += *started;
        j->settings.search.runs = runs > 0 ? runs_for(runs, *started, workers) : UINT64_MAX;
        j->settings.jobs = 1;
        j->settings.quiet |= *started > 0; /* one line of progress */
        if (!start(j, limit, error))
            return false;
    }
    return true;
}

static void finish_all(seed_job *jobs, uint32_t count, _Atomic uint64_t *most, mz_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        mz_finish_worker(jobs[i].shared, jobs[i].process, &jobs[i].ending, error);
        if (most && !jobs[i].shared->finished && has_error(&jobs[i]))
            *most = 0; /* nobody knows after how many executions that was */
    }
}

mz_shared *mz_run_seeds(uint32_t workers, mz_seed_work *work, const void *context,
                        const mz_settings *settings, double limit, mz_ending *ending, mz_error *error)
{
    seed_job *jobs = mz_allocate_zeroed(workers, sizeof *jobs), *chosen = NULL;
    seed_job what = {.work = work, .context = context, .settings = *settings};
    _Atomic uint64_t *most = what.settings.search.limits.executions = share_limit();
    uint32_t started = 0;
    *ending = (mz_ending){0};
    start_all(jobs, workers, &what, limit, &started, error);
    finish_all(jobs, started, most, error);
    if (started > 0 && !error->set) {
        chosen = choose(jobs, started);
        add_up(chosen, jobs, started);
        if (too_many_threads(jobs, started) && !has_error(chosen))
            mz_go_wide();
        *ending = chosen->ending;
        chosen->ending.words = (mz_text){0};
    }
    mz_shared *result = chosen ? chosen->shared : NULL;
    for (uint32_t i = 0; i < started; i++) {
        mz_text_release(&jobs[i].ending.words);
        if (&jobs[i] != chosen)
            mz_shared_release(jobs[i].shared);
    }
    mz_release(jobs);
    if (most)
        munmap((void *)most, sizeof(uint64_t));
    return result;
}
