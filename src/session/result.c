#include "session/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/processors.h"
#include "estimate/sampling.h"
#include "session/process/channels.h"
#include "session/progress.h"
#include "session/saving.h"

/* "3, x=0" */
static char *choices_text(const mz_choice *choices, size_t count, const char *between)
{
    mz_text text = {0};
    for (size_t i = 0; i < count; i++)
        mz_text_add(&text, "%s%s%s%lld", i ? between : "", choices[i].name ? choices[i].name : "",
                    choices[i].name ? "=" : "", (long long)choices[i].value);
    char *copy = mz_copy_string(mz_text_string(&text));
    mz_text_release(&text);
    return copy;
}

static void fill_moments(mz_report_error *e, const mz_problem *problem)
{
    e->moment_count = problem->moment_count;
    e->moments = mz_allocate_zeroed(problem->moment_count, sizeof *e->moments);
    for (size_t i = 0; i < problem->moment_count; i++) {
        const mz_moment *m = &problem->moments[i];
        e->moments[i] = (mz_report_moment){
            .row = {.thread = m->thread,
                    .text = m->text,
                    .effect = m->effect,
                    .position = m->position,
                    .values = "",
                    .choices = ""},
            .after = m->after,
            .is_end = m->is_end,
        };
    }
}

static void fill_decision(mz_report_error *e, const mz_decisive *d)
{
    e->decided = d->decided;
    e->decisive = d->step;
    e->continuations = d->tried;
    e->passing_count = d->passing_count;
    e->passing = mz_allocate_zeroed(d->passing_count, sizeof *e->passing);
    for (size_t i = 0; i < d->passing_count; i++) {
        const mz_witness_step *step = &d->passing[i];
        e->passing[i] = (mz_report_step){.thread = step->thread,
                                         .text = step->text ? step->text : "",
                                         .effect = step->effect ? step->effect : "",
                                         .values = step->values ? step->values : "",
                                         .position = step->position,
                                         .choices = ""};
    }
}

void mz_report_error_fill(mz_report_error *e, const mz_problem *problem)
{
    *e = (mz_report_error){
        .kind = problem->failure.kind,
        .message = mz_text_string(&problem->failure.message),
        .position = problem->failure.position,
        .other = problem->failure.other,
        .thread = problem->failure.thread,
        .occurrences = problem->occurrences,
        .initial_choices = choices_text(problem->choices, problem->initial_choices, ", "),
        .steps = mz_allocate_zeroed(problem->step_count, sizeof(mz_report_step)),
        .step_count = problem->step_count,
        .original_steps = problem->original_steps,
        .context_switches = problem->context_switches,
        .unreplayed = problem->unreplayed,
    };
    for (size_t i = 0; i < problem->step_count; i++) {
        const mz_witness_step *step = &problem->steps[i];
        e->steps[i] = (mz_report_step){
            .thread = step->thread,
            .text = step->text ? step->text : "", /* a step that was not performed: it does not replay */
            .effect = step->effect ? step->effect : "",
            .values = step->values ? step->values : "",
            .position = step->position,
            .choices = choices_text(mz_witness_choices(problem, step), step->choice_count, ","),
        };
    }
    fill_moments(e, problem);
    fill_decision(e, &problem->decision);
    e->threads = (const char **)problem->threads; /* never written through */
    e->thread_count = problem->thread_count;
    e->links = problem->links;
    e->link_count = problem->link_count;
}

void mz_report_error_release(mz_report_error *e)
{
    for (size_t i = 0; i < e->step_count; i++)
        mz_release((char *)(uintptr_t)e->steps[i].choices);
    mz_release(e->steps);
    mz_release(e->moments);
    mz_release(e->passing);
    mz_release((char *)(uintptr_t)e->initial_choices);
}

/* Whose traces are those that can be sampled, each visited once. */
static mz_sampling sampling_for(const mz_algorithm *algorithm, const mz_search_options *options,
                                const mz_machine *machine)
{
    if (machine->has_boundaries || options->stateful || (algorithm->repeats && !options->sleep_sets))
        return MZ_SAMPLE_NOTHING;
    return algorithm->equivalence == MZ_MAZURKIEWICZ   ? MZ_SAMPLE_TRACES
           : algorithm->equivalence == MZ_INTERLEAVING ? MZ_SAMPLE_INTERLEAVINGS
                                                       : MZ_SAMPLE_NOTHING;
}

/* A search that was stopped says how much it has covered. Finding that out may take a while longer, but not
 * much compared with the search. */
static double share_done(mz_search *s, double seconds)
{
    if (!s->stop || !s->execution)
        return s->incomplete ? 0 : 1; /* to the end of a search that was cut: of how much is not known */
    if (s->choices.narrowed)
        return 0; /* nor how much more there is with the other values */
    if (s->machine->has_boundaries)
        return 0;                                  /* nor how many states at loop boundaries there are */
    bool well_known = s->total > 0 && seconds > 6; /* sampled at leisure, for the progress line */
    if (s->incomplete && s->statistics.executions > 0 && !well_known)
        mz_search_sample(s, seconds < 2 ? 0.15 + seconds / 10 : 0.35);
    return mz_search_share_done(s);
}

static const char *const equivalence_words[] = {[MZ_INTERLEAVING] = "interleavings",
                                                [MZ_MAZURKIEWICZ] = "traces",
                                                [MZ_OBSERVATION] = "observations",
                                                [MZ_GRAPH] = "graphs"};

const char *mz_equivalence_word(mz_equivalence equivalence)
{
    return equivalence_words[equivalence];
}

mz_report mz_report_of_nothing(const mz_settings *settings, const char *algorithm)
{
    static const mz_report_count none[] = {
#define MZ_X(field, json_key, table_label) {json_key, table_label, 0},
        MZ_STATISTICS(MZ_X)
#undef MZ_X
    };
    return (mz_report){.version = MZ_VERSION,
                       .program = settings->files[0],
                       .algorithm = algorithm,
                       .equivalence_word = equivalence_words[MZ_MAZURKIEWICZ],
                       .thread_word = "thread",
                       .memory = MZ_MEMORY_SC,
                       .verdict = MZ_INCOMPLETE,
                       .reason = "",
                       .found_by = "",
                       .counts = none,
                       .count_count = sizeof none / sizeof *none,
                       .checks = settings->search.checks & MZ_NATIVE_FAILURES};
}

/* A data race is told once for each pair of places. */
static void join_alike(mz_search *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->problem_count; i++) {
        size_t known = 0;
        while (known < kept && !mz_failure_alike(&s->problems[known].failure, &s->problems[i].failure))
            known++;
        if (known == kept) {
            s->problems[kept++] = s->problems[i];
        } else {
            mz_problem *told = &s->problems[known]; /* in these executions at least */
            if (told->occurrences < s->problems[i].occurrences)
                told->occurrences = s->problems[i].occurrences;
            mz_problem_release(&s->problems[i]);
        }
    }
    s->problem_count = kept;
}

static void fill_report(mz_result *r, const char *file, const mz_algorithm *algorithm, double seconds)
{
    mz_search *s = &r->search;
    size_t n = 0;
    join_alike(s);
#define MZ_X(field, json_key, table_label)                                                                   \
    r->counts[n++] = (mz_report_count){json_key, table_label, s->statistics.field};
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    r->report = (mz_report){
        .version = MZ_VERSION,
        .program = file,
        .algorithm = algorithm->name,
        .equivalence_word = equivalence_words[s->is_finer        ? MZ_MAZURKIEWICZ
                                              : s->machine->weak ? MZ_GRAPH
                                                                 : algorithm->equivalence],
        .memory = s->machine->buffer_count > 0          ? MZ_MEMORY_TSO
                  : !s->machine->weak                   ? MZ_MEMORY_SC
                  : s->options.memory == MZ_MEMORY_AUTO ? MZ_MEMORY_RC11
                                                        : s->options.memory,
        .is_memory_found = s->options.memory == MZ_MEMORY_AUTO,
        .relation = s->machine->relation,
        .refined = s->machine->refined & s->machine->relation,
        .thread_word = s->machine->class->thread_word,
        .verdict = mz_search_verdict(s),
        .reason = mz_text_string(&s->reason),
        .was_stopped = s->stop && s->incomplete,
        .bounded = s->bound_is_done && s->problem_count == 0 && s->unasked.count == 0 && !s->is_vacuous,
        .levels_done = s->levels_done,
        .only_sampled = s->is_sample || (algorithm->samples && s->is_late),
        .found_by = mz_text_string(&s->found_by),
        .seconds = seconds,
        .exploration = s->sketched ? mz_text_string(&s->sketch) : NULL,
        .share_done = share_done(s, seconds),
        .peak_bytes = mz_memory_peak(),
        .thread_count = s->machine->thread_capacity - s->machine->buffer_count,
        .checks = s->options.checks & s->machine->class->failure_kinds,
        .all_errors = s->options.all_errors,
        .counts = r->counts,
        .count_count = n,
        .errors = mz_allocate_zeroed(s->problem_count, sizeof(mz_report_error)),
        .error_count = s->problem_count,
        .unasked = mz_allocate_zeroed(s->unasked.count, sizeof(mz_report_unasked)),
        .unasked_count = s->unasked.count,
    };
    memcpy(r->report.level_seconds, s->level_seconds, sizeof s->level_seconds);
    for (size_t i = 0; i < s->problem_count; i++)
        mz_report_error_fill(&r->report.errors[i], &s->problems[i]);
    for (size_t i = 0; i < s->unasked.count; i++) {
        const mz_failure *f = &s->unasked.failures[i];
        r->report.unasked[i] = (mz_report_unasked){f->kind, mz_text_string(&f->message), f->position};
    }
}

void mz_result_release(mz_result *r)
{
    for (size_t i = 0; i < r->report.error_count; i++)
        mz_report_error_release(&r->report.errors[i]);
    mz_release(r->report.errors);
    mz_release(r->report.unasked);
    mz_search_release(&r->search);
    mz_pool_release(r->pool);
    mz_release(r->saved);
}

/* Events of models are faster than those of programs, and so is giving items away rare enough to cost little,
 * often enough for everybody to have something to do: hundredths of a second. */
static uint64_t usual_split(const mz_settings *s)
{
    return s->native ? 50000 : 500000;
}

/* Most searches are over before others are worth starting. For tests: how often one gives items away, and
 * that the others begin at once. */
static mz_pool_options pool_options(const mz_settings *s)
{
    const char *split_every = getenv("MAZURKA_TEST_SPLIT"), *patience = getenv("MAZURKA_TEST_PATIENCE");
    const int *ranks;
    uint32_t usual = mz_ranks(&ranks) > 0 ? 1 : mz_processors(); /* every rank is one */
    return (mz_pool_options){.jobs = s->jobs > 0 ? s->jobs : usual,
                             .allowed = s->allowed_jobs,
                             .split_every = split_every ? strtoull(split_every, NULL, 10) : 0,
                             .usual_split = usual_split(s),
                             .patience = patience ? strtod(patience, NULL) : 0.06,
                             .program = s->pool_program ? *s->pool_program : (mz_pool_program){0}};
}

/* Somebody would like to know why the others have done nothing. */
static const char *why_alone(const mz_settings *s, const mz_algorithm *algorithm,
                             const mz_search_options *options, const mz_machine *machine, double seconds)
{
    enum { WAITED = 1 };
    bool expects_others = s->jobs > 1 || (s->jobs == 0 && seconds > WAITED && mz_processors() > 1);
    return expects_others ? mz_pool_why_alone(algorithm, options, machine) : NULL;
}

/* Wide choices are explored with a few of their values first: what fails is mostly seen with them, also where
 * there are several such choices. If they are narrow, that was all of it. */
static bool begins_narrow(const mz_algorithm *algorithm, const mz_search_options *options,
                          const mz_machine *machine)
{
    return !options->all_errors && !algorithm->samples && !mz_pool_why_alone(algorithm, options, machine);
}

static bool is_all_of_it(const mz_search *s)
{
    return !s->choices.narrowed || s->stop || s->begin_again || s->problem_count > 0;
}

/* Now with all values, in the time that is left. */
static void run_in_full(mz_result *r, mz_pool_options *pool, mz_machine *machine,
                        const mz_algorithm *algorithm, mz_search_options *options)
{
    options->narrows = false;
    options->limits.seconds_before += mz_seconds_now() - r->search.started;
    pool->saved = NULL;
    mz_search_release(&r->search);
    mz_pool_release(r->pool);
    mz_search_init(&r->search, machine, options);
    mz_algorithm_set_relation(algorithm, &r->search);
    r->pool = mz_pool_run(pool, algorithm, &r->search);
}

void mz_result_run(mz_result *r, mz_machine *machine, const mz_settings *s, const char *file,
                   const mz_algorithm *algorithm)
{
    mz_search_options options = s->search;
    mz_progress_line line = {.program = file};
    options.sampling = sampling_for(algorithm, &options, machine);
    options.sample = mz_estimate_executions;
    options.limits.interrupted = &mz_interrupted;
    options.narrows = begins_narrow(algorithm, &options, machine);
    double begun = mz_seconds_now();
    if (!options.limits.progress && (s->home || (!s->quiet && isatty(STDERR_FILENO)))) {
        options.limits.progress = mz_progress_show;
        options.limits.progress_context = &line;
    }
    mz_search_init(&r->search, machine, &options);
    mz_algorithm_set_relation(algorithm, &r->search); /* before others begin with parts of it */
    mz_pool_options pool = pool_options(s);
    if (s->saving)
        mz_saving_begin(s->saving, s, algorithm, &pool);
    r->pool = mz_pool_run(&pool, algorithm, &r->search);
    if (!is_all_of_it(&r->search))
        run_in_full(r, &pool, machine, algorithm, &options);
    double seconds = mz_seconds_now() - begun;
    mz_progress_erase(&line);
    fill_report(r, file, algorithm, seconds);
    r->report.accepts_bounded = s->accepts_bounded;
    r->report.alone = why_alone(s, algorithm, &options, machine, seconds);
    if (s->saving) {
        r->saved = s->saving->path;
        s->saving->path = NULL;
        r->report.checkpoint = r->report.verdict == MZ_INCOMPLETE ? r->saved : NULL;
    }
}
