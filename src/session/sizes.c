/* Each algorithm gets a short run. Those that come to their end have counted. For the others: how many traces
 * there are does not depend on who explores them, so one that has finished tells all that share its
 * equivalence, and else they are sampled (estimate/sampling.h). What an algorithm needs for a trace, in
 * executions and in time, is what it needed in its short run. */
#include "session/sizes.h"

#include <stdio.h>
#include <string.h>

#include "algo/options.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "session/learn.h"

/* For a search, whatever its preparation has taken: an execution should come to its end. */
static const double LEAST_SECONDS = 0.1;

/* ---- one task ---------------------------------------------------------------------------------------------
 */

/* Returns whether it is to begin again. */
static bool explore(mz_machine *machine, const mz_settings *settings, const mz_size_task *task,
                    double deadline, mz_size_result *result)
{
    mz_search_options options = settings->search;
    mz_search search;
    double started = mz_seconds_now();
    if (machine->has_boundaries && !task->algorithm->closes_loops) {
        snprintf(result->reason, sizeof result->reason, "it cannot follow a program with mz_loop_boundary()");
        return false;
    }
    if (task->algorithm->samples) {
        snprintf(result->reason, sizeof result->reason, "it visits as many executions as it is told to");
        return false;
    }
    options.all_errors = true; /* the whole exploration, not that up to the first error */
    options.stateful |= task->stateful;
    options.limits.seconds = deadline > started + LEAST_SECONDS ? deadline - started : LEAST_SECONDS;
    options.limits.interrupted = &mz_interrupted;
    mz_search_init(&search, machine, &options);
    task->algorithm->run(&search);
    *result = (mz_size_result){.statistics = search.statistics,
                               .seconds = mz_seconds_now() - started,
                               .share_done = search.execution ? mz_search_share_done(&search) : 0,
                               .finished = !search.stop,
                               .error_found = search.problem_count > 0};
    bool for_time = result->seconds >= options.limits.seconds || mz_interrupted;
    bool begin_again = search.begin_again;
    if (search.incomplete && !for_time)
        snprintf(result->reason, sizeof result->reason, "%s", mz_text_string(&search.reason));
    mz_search_release(&search);
    return begin_again;
}

/* The algorithm samples its own tree. */
static bool sample_its_tree(mz_machine *machine, const mz_settings *settings, const mz_algorithm *algorithm,
                            double deadline, mz_size_result *result)
{
    mz_search_options options = settings->search;
    double started = mz_seconds_now();
    options.all_errors = true;
    options.limits.seconds = deadline > started + LEAST_SECONDS ? deadline - started : LEAST_SECONDS;
    options.limits.interrupted = &mz_interrupted;
    mz_tree_size size = algorithm->estimate(machine, &options, settings->seed);
    result->sampled = (mz_estimate){.known = size.known,
                                    .counted = size.counted,
                                    .traces = size.traces,
                                    .executions = size.executions,
                                    .error = size.error,
                                    .begin_again = size.begin_again,
                                    .rounds = size.rounds};
    result->error_found = size.error;
    return size.begin_again;
}

static bool sample(mz_machine *machine, const mz_settings *settings, const mz_size_task *task,
                   double deadline, mz_size_result *result)
{
    mz_estimate_options options = {.interleavings = task->algorithm->equivalence == MZ_INTERLEAVING,
                                   .deadline = deadline,
                                   .seed = settings->seed,
                                   .depth = settings->search.limits.depth,
                                   .interrupted = &mz_interrupted};
    if (machine->has_boundaries) /* executions have no end there */
        return false;
    if (task->algorithm->estimate)
        return sample_its_tree(machine, settings, task->algorithm, deadline, result);
    result->sampled = mz_estimate_size(machine, &options);
    result->error_found = result->sampled.error;
    return result->sampled.begin_again;
}

typedef struct measurement {
    mz_machine *machine;
    const mz_settings *settings;
    const mz_size_task *task;
    double deadline;
    mz_size_result *result;
} measurement;

/* True if it is to be done again, and there is time for that. */
static bool measure(void *context)
{
    const measurement *m = context;
    *m->result = (mz_size_result){0};
    bool again =
        (m->task->sample ? sample : explore)(m->machine, m->settings, m->task, m->deadline, m->result);
    return again && mz_seconds_now() < m->deadline && !mz_interrupted;
}

void mz_size_measure(mz_machine *machine, const mz_settings *settings, const mz_size_task *task,
                     void (*prepare)(mz_machine *machine), mz_size_result *result)
{
    mz_algorithm_prepare(task->algorithm, machine, settings->search.relation, settings->search.memory);
    if (task->looks) {
        prepare(machine);
        result->is_weak = machine->weaker_orders && !machine->beyond_weak && !machine->has_boundaries;
        return;
    }
    measurement m = {machine, settings, task, mz_seconds_now() + task->seconds, result};
    mz_learn(machine, prepare, false, measure, &m);
}

/* ---- traces -----------------------------------------------------------------------------------------------
 */

/* Of the time, for the short runs; the rest is for sampling. */
static const double SHORT_RUNS = 0.5;

typedef struct finder {
    mz_sizes *sizes;
    const mz_settings *settings;
    double deadline;
    mz_size_runner runner;
    mz_size_result *runs; /* [algorithm] */
    double overhead;      /* the most that a task has taken beyond its time: programs can be slow to start */
} finder;

static void run_task(finder *f, const mz_size_task *task, mz_size_result *result)
{
    double started = mz_seconds_now();
    f->runner.run(f->runner.context, task, result);
    double overhead = mz_seconds_now() - started - task->seconds;
    f->overhead = overhead > f->overhead ? overhead : f->overhead;
    f->sizes->error_found |= result->error_found;
}

/* For one more task. */
static bool has_time(const finder *f)
{
    return mz_seconds_now() + f->overhead + LEAST_SECONDS <= f->deadline;
}

static const mz_algorithm *algorithm_of(const finder *f, size_t i)
{
    return f->settings->algorithms[i];
}

static bool same_kind(const finder *f, size_t i, size_t k)
{
    const mz_algorithm *a = algorithm_of(f, i), *b = algorithm_of(f, k);
    return a->equivalence == b->equivalence && a->refinements == b->refinements;
}

static bool is_first_of_its_kind(const finder *f, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_kind(f, i, k))
            return false;
    return true;
}

static void run_shortly(finder *f, size_t i, double seconds)
{
    mz_size_task task = {.algorithm = algorithm_of(f, i), .seconds = seconds > 1e-3 ? seconds : 1e-3};
    run_task(f, &task, &f->runs[i]);
}

/* The default first: programs that are slow to begin with may leave no time for others. */
static void run_all_shortly(finder *f)
{
    size_t count = f->settings->algorithm_count, first = 0;
    double end = mz_seconds_now() + (f->deadline - mz_seconds_now()) * SHORT_RUNS;
    for (size_t i = 0; i < count; i++)
        first = algorithm_of(f, i) == mz_default_algorithm ? i : first;
    for (size_t k = 0; k < count; k++) {
        size_t i = k == 0 ? first : k <= first ? k - 1 : k;
        if (k > 0 && !has_time(f))
            snprintf(f->runs[i].reason, sizeof f->runs[i].reason, "there was no time left to try it");
        else
            run_shortly(f, i, (end - mz_seconds_now()) / (double)(count - k));
    }
}

/* What those of the algorithm's kind have counted: all, if one has finished, or at least so many. */
static bool is_counted(const finder *f, size_t i, double *traces)
{
    *traces = 0;
    for (size_t k = 0; k < f->settings->algorithm_count; k++) {
        double seen = (double)f->runs[k].statistics.traces;
        if (!same_kind(f, i, k))
            continue;
        *traces = seen > *traces || f->runs[k].finished ? seen : *traces;
        if (f->runs[k].finished)
            return true;
    }
    return false;
}

/* How many traces there are of the kind that the algorithm explores, and with them executions that are
 * pruned; both 0 if nothing can be said. */
typedef struct size {
    double traces, executions;
    bool exact;
} size;

static size find_size(finder *f, size_t i, double seconds)
{
    mz_equivalence kind = algorithm_of(f, i)->equivalence;
    size found = {0};
    double seen;
    found.exact = is_counted(f, i, &seen);
    if (found.exact)
        found.traces = seen;
    if (found.exact || kind == MZ_OBSERVATION || !has_time(f))
        return found;
    mz_size_task task = {.algorithm = algorithm_of(f, i), .sample = true, .seconds = seconds};
    mz_size_result result = {0};
    run_task(f, &task, &result);
    if (!result.sampled.known)
        return found;
    found.traces = result.sampled.traces > seen ? result.sampled.traces : seen;
    found.executions = result.sampled.executions > 0 && result.sampled.executions < found.traces
                           ? found.traces
                           : result.sampled.executions;
    return found;
}

/* ---- what that is for an algorithm ------------------------------------------------------------------------
 */

static void fill_row(finder *f, size_t i, size found)
{
    mz_size_row *row = &f->sizes->rows[i];
    const mz_size_result *run = &f->runs[i];
    double seen = (double)run->statistics.traces, executions = (double)run->statistics.executions;
    *row = (mz_size_row){.algorithm = algorithm_of(f, i)->name,
                         .known = !run->reason[0] && executions > 0,
                         .exact = run->finished,
                         .exact_traces = found.exact};
    snprintf(row->reason, sizeof row->reason, "%s",
             row->known       ? ""
             : run->reason[0] ? run->reason
                              : "no execution came to its end in time");
    if (!row->known)
        return;
    double of_the_tree = run->share_done > 0 ? executions / run->share_done : executions;
    double ended = seen + (double)run->statistics.pruned; /* the others are blocked, or repeated */
    bool known = found.traces > 0 || found.executions > 0;
    row->traces = row->exact ? seen : known ? found.traces : of_the_tree * seen / executions;
    row->executions = row->exact                          ? executions
                      : found.executions > 0 && ended > 0 ? found.executions * executions / ended
                      : seen > 0                          ? row->traces * executions / seen
                                                          : of_the_tree;
    /* One that repeats traces does so the more, the more it has seen. */
    if (!row->exact && algorithm_of(f, i)->repeats && row->executions < of_the_tree)
        row->executions = of_the_tree;
    row->seconds = run->seconds * row->executions / executions;
}

/* The one that is done first; NULL if there is nothing to choose. A short lead is none: then it is the
 * default. */
static const char *recommend(const finder *f)
{
    const mz_size_row *rows = f->sizes->rows, *best = NULL;
    size_t count = f->settings->algorithm_count;
    for (size_t i = 0; i < count; i++)
        if (rows[i].known && (!best || rows[i].seconds < best->seconds))
            best = &rows[i];
    for (size_t i = 0; i < count; i++)
        if (algorithm_of(f, i) == mz_default_algorithm && rows[i].known &&
            rows[i].seconds < best->seconds * 1.25 + 0.05)
            best = &rows[i];
    return best && count > 1 ? best->algorithm : NULL;
}

/* ---- states ---------------------------------------------------------------------------------------------
 *
 * How much of a search over states is left cannot be said. So it is recommended if it came to its end, and
 * all others are expected to take several times as long. */
static const double FOR_STATES = 0.2, TIMES_LONGER = 4;

static const mz_algorithm *algorithm_of_states(const mz_settings *s)
{
    for (size_t i = 0; i < mz_algorithm_count && s->algorithm_is_default &&
                       s->search.memory < MZ_MEMORY_TSO && !s->search.stateful;
         i++)
        if (mz_algorithms[i]->chosen_by && strcmp(mz_algorithms[i]->chosen_by, mz_option_stateful.name) == 0)
            return mz_algorithms[i];
    return NULL;
}

static void try_states(finder *f, const mz_algorithm *algorithm, double end)
{
    double best = -1, left = end - mz_seconds_now();
    for (size_t i = 0; i < f->settings->algorithm_count; i++)
        if (f->sizes->rows[i].known && (best < 0 || f->sizes->rows[i].seconds < best))
            best = f->sizes->rows[i].seconds;
    if (left < LEAST_SECONDS + f->overhead || best < TIMES_LONGER * left)
        return;
    mz_size_task task = {.algorithm = algorithm, .stateful = true, .seconds = left - f->overhead};
    mz_size_result result = {0};
    run_task(f, &task, &result);
    if (!result.finished || result.seconds * TIMES_LONGER > best)
        return;
    f->sizes->recommended = algorithm->name;
    f->sizes->by_states = true;
    f->sizes->state_seconds = result.seconds;
}

void mz_sizes_find(mz_sizes *sizes, const mz_settings *settings, double deadline, mz_size_runner runner)
{
    size_t count = settings->algorithm_count, kinds = 0;
    const mz_algorithm *of_states = algorithm_of_states(settings);
    double end = deadline;
    *sizes = (mz_sizes){.rows = mz_allocate_zeroed(count, sizeof *sizes->rows)};
    deadline -= of_states ? (deadline - mz_seconds_now()) * FOR_STATES : 0;
    finder f = {.sizes = sizes,
                .settings = settings,
                .deadline = deadline,
                .runner = runner,
                .runs = mz_allocate_zeroed(count, sizeof *f.runs)};
    run_all_shortly(&f);
    for (size_t i = 0; i < count; i++)
        kinds += is_first_of_its_kind(&f, i);
    for (size_t i = 0; i < count; i++) {
        if (!is_first_of_its_kind(&f, i))
            continue;
        size found = find_size(&f, i, (deadline - mz_seconds_now()) / (double)kinds--);
        for (size_t k = i; k < count; k++)
            if (same_kind(&f, i, k))
                fill_row(&f, k, found);
    }
    sizes->recommended = recommend(&f);
    if (of_states)
        try_states(&f, of_states, end);
    mz_release(f.runs);
}
