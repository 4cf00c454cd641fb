#include "cmd/minimise.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/result.h"
#include "enforce/minimise.h"
#include "native/compile.h"

typedef struct work {
    const mz_settings *settings;
    mz_machine *machine;
    const mz_plan *plan;
    double deadline;
    bool shows; /* progress, on a terminal */
    size_t least;
    mz_minimised *result;
} work;

static void show_progress(const work *w)
{
    if (!w->shows)
        return;
    fprintf(stderr, "\r\033[K%s: %zu of %u constraints, %llu sets looked at", w->settings->files[0], w->least,
            w->result->before, (unsigned long long)w->result->trials);
    fflush(stderr);
}

static double seconds_left(const work *w)
{
    return w->deadline > 0 ? w->deadline - mz_seconds_now() : 1e9;
}

static mz_search_options options_for(const work *w)
{
    mz_search_options options = w->settings->search;
    /* Whatever goes wrong is wrong, also what --check leaves out; but an assertion that is not to be looked
     * at is none. */
    options.checks |= MZ_FAILURES_ALL & ~(1u << MZ_FAIL_ASSERTION);
    options.all_errors = false;
    options.safe_prefix = NULL;
    options.limits.seconds = w->deadline > 0 ? seconds_left(w) : 0;
    options.limits.seconds_before = 0;
    options.limits.traces = options.limits.events = 0;
    options.limits.progress = NULL;
    options.limits.interrupted = &mz_interrupted;
    return options;
}

static void note_reason(const work *w, const mz_search *s, const mz_text *cut)
{
    const char *reason = s->problem_count > 0       ? mz_text_string(&s->problems[0].failure.message)
                         : s->incomplete            ? mz_text_string(&s->reason)
                         : s->statistics.pruned > 0 ? "an assumption does not hold"
                                                    : mz_text_string(cut);
    snprintf(w->result->reason, sizeof w->result->reason, "%s", reason);
}

/* The argument why this is enough: enforce/constrained.c. The algorithm is exact; an execution that is cut,
 * pruned or given up is none that was verified. *again: the machine has learned something, and the search is
 * worth nothing. */
static mz_trial explore(work *w, const mz_edges *set, bool *again)
{
    mz_search s;
    mz_text cut = {0};
    mz_search_options options = options_for(w);
    mz_machine *constrained = mz_constrain(w->machine, set->edges, set->count, w->plan->counts_accesses);
    mz_search_init(&s, constrained, &options);
    (w->machine->has_boundaries ? &mz_algorithm_source : &mz_algorithm_optimal)->run(&s);
    mz_search_close(&s);
    mz_native_incomplete(w->machine, &cut);
    *again = s.begin_again;
    bool safe = mz_search_verdict(&s) == MZ_SAFE && s.statistics.pruned == 0 && cut.length == 0;
    bool no_time = s.problem_count == 0 && s.incomplete && (seconds_left(w) <= 0 || mz_interrupted);
    if (safe)
        w->result->traces = s.statistics.traces;
    else
        note_reason(w, &s, &cut);
    mz_search_release(&s);
    mz_text_release(&cut);
    constrained->class->destroy(constrained);
    return safe ? MZ_TRIAL_SAFE : no_time ? MZ_TRIAL_NO_TIME : MZ_TRIAL_UNSAFE;
}

static mz_trial verify(void *context, const mz_edges *set)
{
    work *w = context;
    mz_trial trial;
    bool again = true;
    w->result->trials++;
    while (again) {
        if (seconds_left(w) <= 0 || mz_interrupted)
            return MZ_TRIAL_NO_TIME;
        trial = explore(w, set, &again);
        if (again)
            mz_native_prepare(w->machine);
    }
    if (trial == MZ_TRIAL_SAFE)
        w->least = set->count;
    show_progress(w);
    return trial;
}

/* What the libraries of C++ do is not counted alike by the checker and by the program that runs, where
 * accesses are counted. Within a prefix that is noticed; edges know of nothing that could be compared. */
static bool is_cxx(const mz_settings *s)
{
    for (size_t i = 0; i < s->file_count; i++) {
        const char *ending = strrchr(s->files[i], '.');
        if (ending && mz_is_source(s->files[i]) && strcmp(ending, ".c") != 0 && strcmp(ending, ".i") != 0)
            return true;
    }
    return false;
}

void mz_minimise_plan(const mz_settings *settings, mz_machine *machine, mz_plan *plan, double deadline,
                      mz_minimised *result)
{
    work w = {.settings = settings,
              .machine = machine,
              .plan = plan,
              .deadline = deadline,
              .shows = !settings->quiet && isatty(STDERR_FILENO),
              .result = result};
    mz_minimisation m = {.plan = plan, .verify = verify, .context = &w};
    mz_edges first = {0};
    *result = (mz_minimised){.tried = true};
    if (is_cxx(settings)) {
        snprintf(result->reason, sizeof result->reason, "the program is in C++");
        return;
    }
    mz_edges_of_plan(plan, &first);
    result->before = (uint32_t)first.count;
    w.least = first.count;
    mz_minimise(&m);
    if (w.shows)
        fputs("\r\033[K", stderr);
    result->has_set = m.has_set;
    result->is_minimal = m.is_minimal;
    result->after = (uint32_t)m.set.count;
    if (m.has_set)
        mz_plan_keep_edges(plan, &m.set);
    mz_edges_release(&first);
    mz_edges_release(&m.set);
}
