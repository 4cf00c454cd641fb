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

/* ---- beside numbers of the program ------------------------------------------------------------------------
 */

/* Nondeterministic numbers are too many, so that a small range stands for them, and the verdict says so.
 * Where a program behaves differently for others, it most often compares with a number of its own: x > 1000.
 * So for each of these there is a short search in which all nondeterministic numbers lie beside it. An error
 * that is found so is one. Without an error nothing is concluded: the verdict holds for the range that it
 * names. */
enum { MOST_NUMBERS = 24 };
/* For all of them; as long as the search before took, if that is longer. */
static const double seconds_beside = 1;

typedef struct beside {
    mz_settings *settings;
    mz_machine *machine;
    const mz_algorithm *algorithm;
    double started, until; /* the whole check; until when there is time */
    size_t left;           /* numbers, this one among them: each has its share of the time */
    mz_result *result;
    bool found;
} beside;

static bool look_beside(void *context)
{
    beside *b = context;
    mz_settings s = *b->settings;
    double now = mz_seconds_now();
    if (now >= b->until)
        return false;
    s.quiet = true;
    s.search.limits.seconds_before = now - b->started;
    s.search.limits.seconds = now - b->started + (b->until - now) / (double)b->left;
    mz_result_run(b->result, b->machine, &s, s.files[0], b->algorithm);
    bool again = b->result->search.begin_again;
    b->found = !again && b->result->report.verdict == MZ_UNSAFE;
    if (b->found)
        return false;
    mz_result_release(b->result);
    *b->result = (mz_result){0};
    return again;
}

static double time_for_all(const mz_settings *s, double started)
{
    double now = mz_seconds_now(), spent = now - started, limit = s->search.limits.seconds;
    double until = now + (spent > seconds_beside ? spent : seconds_beside);
    return limit > 0 && started + limit < until ? started + limit : until;
}

bool mz_search_compared(mz_settings *s, mz_machine *machine, const mz_algorithm *algorithm, double started,
                        mz_result *result)
{
    int64_t numbers[MOST_NUMBERS], low = s->nondet_low, high = s->nondet_high;
    if (s->has_nondet || !mz_native_set_nondet(machine, low, high))
        return false;
    size_t count = mz_native_compared_numbers(machine, numbers, MOST_NUMBERS);
    beside b = {.settings = s,
                .machine = machine,
                .algorithm = algorithm,
                .started = started,
                .until = time_for_all(s, started),
                .result = result};
    for (size_t i = 0; i < count && !b.found; i++) {
        b.left = count - i;
        if ((numbers[i] > low && numbers[i] < high) || numbers[i] == INT64_MIN || numbers[i] == INT64_MAX)
            continue;
        mz_native_set_nondet(machine, numbers[i] - 1, numbers[i] + 1);
        s->nondet_low = numbers[i] - 1;
        s->nondet_high = numbers[i] + 1;
        mz_learn(machine, mz_native_prepare, false, look_beside, &b);
    }
    if (b.found)
        return true;
    mz_native_set_nondet(machine, low, high);
    s->nondet_low = low;
    s->nondet_high = high;
    return false;
}
