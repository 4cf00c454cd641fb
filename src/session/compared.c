/* Nondeterministic numbers are too many, so that a small range stands for them, and the verdict says so.
 * Where a program behaves differently for others, it most often compares with a number of its own: x > 1000.
 * So for each of these there is a short search in which all nondeterministic numbers lie beside it. An error
 * that is found so is one. Without an error nothing is concluded: the verdict holds for the range that it
 * names. */
#include "session/compared.h"
#include "program/program.h"
#include "session/learn.h"

enum { MOST_NUMBERS = 24 };
/* For all of them; as long as the search before took, if that is longer. */
static const double seconds = 1;

typedef struct beside {
    mz_settings *settings;
    mz_machine *machine;
    const mz_algorithm *algorithm;
    double started, until; /* the whole check; until when there is time */
    mz_result *result;
    bool found;
} beside;

static bool search(void *context)
{
    beside *b = context;
    mz_settings s = *b->settings;
    double now = mz_seconds_now();
    if (now >= b->until)
        return false;
    s.quiet = true;
    s.search.limits.seconds_before = now - b->started;
    s.search.limits.seconds = b->until - b->started;
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
    double until = now + (spent > seconds ? spent : seconds);
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
        if ((numbers[i] > low && numbers[i] < high) || numbers[i] == INT64_MIN || numbers[i] == INT64_MAX)
            continue;
        mz_native_set_nondet(machine, numbers[i] - 1, numbers[i] + 1);
        s->nondet_low = numbers[i] - 1;
        s->nondet_high = numbers[i] + 1;
        mz_learn(machine, mz_native_prepare, false, search, &b);
    }
    if (b.found)
        return true;
    mz_native_set_nondet(machine, low, high);
    s->nondet_low = low;
    s->nondet_high = high;
    return false;
}
