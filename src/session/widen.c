#include "session/widen.h"

#include "session/result.h"
#include "program/runtime/program.h"
#include "wire/nondet.h"

enum { SECONDS = 3 }; /* for one range */

static void limit_probe(mz_settings *probe, double spent)
{
    mz_limits *limits = &probe->search.limits;
    limits->seconds_before = spent;
    if (limits->seconds <= 0 || limits->seconds > spent + SECONDS)
        limits->seconds = spent + SECONDS;
    limits->traces = 1;
    probe->search.all_errors = false;
    probe->quiet = true;
}

typedef enum found { NOTHING, AN_EXECUTION, NO_TIME } found;

/* Does an execution come to its end? */
static found probe(const mz_settings *settings, mz_machine *machine, const mz_algorithm *algorithm,
                   double started)
{
    for (;;) {
        mz_settings s = *settings;
        mz_result result = {0};
        mz_native_prepare(machine);
        limit_probe(&s, mz_seconds_now() - started);
        mz_result_run(&result, machine, &s, s.files[0], algorithm);
        bool again = result.search.begin_again, none = mz_search_pruned_all(&result.search);
        bool any = result.search.statistics.traces > 0 || result.search.problem_count > 0;
        mz_result_release(&result);
        if (!again)
            return any ? AN_EXECUTION : none ? NOTHING : NO_TIME;
    }
}

bool mz_widen_nondet(mz_settings *s, mz_machine *machine, const mz_algorithm *algorithm, double started,
                     mz_text *tried)
{
    int64_t width = s->nondet_high;
    found answer = NOTHING;
    if (s->has_nondet || !mz_native_set_nondet(machine, s->nondet_low, s->nondet_high))
        return false;
    while (answer == NOTHING && width < MZ_NONDET_WIDEST) {
        width = mz_nondet_wider(width);
        mz_native_set_nondet(machine, -width, width);
        answer = probe(s, machine, algorithm, started);
    }
    if (answer != AN_EXECUTION) {
        mz_text_add(tried, ", also with numbers from %lld to %lld%s (--nondet=LO..HI takes others)",
                    (long long)-width, (long long)width,
                    answer == NO_TIME ? ", as far as there was time" : "");
        return false;
    }
    s->nondet_low = -width;
    s->nondet_high = width;
    return true;
}
