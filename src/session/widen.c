#include "session/widen.h"

#include "program/program.h"
#include "session/learn.h"
#include "session/result.h"
#include "wire/nondet.h"

enum { SECONDS = 3 }; /* for one range */

static void limit_probe(mz_settings *s, double spent)
{
    mz_limits *limits = &s->search.limits;
    limits->seconds_before = spent;
    if (limits->seconds <= 0 || limits->seconds > spent + SECONDS)
        limits->seconds = spent + SECONDS;
    limits->traces = 1;
    s->search.all_errors = false;
    s->quiet = true;
}

typedef enum found { NOTHING, AN_EXECUTION, NO_TIME } found;

typedef struct probe {
    const mz_settings *settings;
    mz_machine *machine;
    const mz_algorithm *algorithm;
    double started;
    found found;
} probe;

/* Does an execution come to its end? */
static bool look(void *context)
{
    probe *p = context;
    mz_settings s = *p->settings;
    mz_result result = {0};
    limit_probe(&s, mz_seconds_now() - p->started);
    mz_result_run(&result, p->machine, &s, s.files[0], p->algorithm);
    bool again = result.search.begin_again, none = mz_search_pruned_all(&result.search);
    bool any = result.search.statistics.traces > 0 || result.search.problem_count > 0;
    mz_result_release(&result);
    p->found = any ? AN_EXECUTION : none ? NOTHING : NO_TIME;
    return again;
}

bool mz_widen_nondet(mz_settings *s, mz_machine *machine, const mz_algorithm *algorithm, double started,
                     mz_text *tried)
{
    int64_t width = s->nondet_high;
    probe p = {.settings = s, .machine = machine, .algorithm = algorithm, .started = started};
    if (s->has_nondet || !mz_native_set_nondet(machine, s->nondet_low, s->nondet_high))
        return false;
    while (p.found == NOTHING && width < MZ_NONDET_WIDEST) {
        width = mz_nondet_wider(width);
        mz_native_set_nondet(machine, -width, width);
        mz_learn(machine, mz_native_prepare, false, look, &p);
    }
    if (p.found != AN_EXECUTION) {
        mz_text_add(tried, ", also with numbers from %lld to %lld%s (--nondet=LO..HI takes others)",
                    (long long)-width, (long long)width,
                    p.found == NO_TIME ? ", as far as there was time" : "");
        return false;
    }
    s->nondet_low = -width;
    s->nondet_high = width;
    return true;
}
