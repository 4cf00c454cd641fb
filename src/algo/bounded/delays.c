/* Few delays first: Emmi, Qadeer, Rakamarić, "Delay-bounded scheduling", POPL 2011.
 *
 * A deterministic scheduler goes round: it lets a thread run until that waits or has ended, and goes on with
 * the next one that is ready, in the order of their numbers, the first one after the last one. A *delay*
 * passes over the thread whose turn it is. So a step of thread t costs as many delays as there are ready
 * threads from the one that made the last step, itself included, to t (as Thomson, Donaldson, Betts,
 * "Concurrency testing using schedule bounding", PPoPP 2014, count them). Before the first step it is the
 * turn of the lowest.
 *
 * With K delays there are far fewer executions than with K preemptions: where a thread waits, nobody chooses
 * who is next. How many there are depends on K and on how long an execution is, not on the number of
 * threads. An execution with K preemptions of two threads costs K delays at least; of more threads, more. */
#include "algo/bounded/levels.h"

static uint32_t turn(const mz__standing *at)
{
    return at->last == MZ_NONE ? 0 : at->last;
}

/* The first of the threads from this one on, going round. */
static uint32_t first_from(mz_threads threads, uint32_t from)
{
    mz_threads later = mz_threads_after(threads, from);
    return mz_threads_has(threads, from) ? from : mz_threads_first(mz_threads_any(later) ? later : threads);
}

static uint32_t cost(const mz__standing *at, uint32_t thread)
{
    uint32_t passed_over = 0, next;
    mz_threads waiting = at->ready;
    for (; (next = first_from(waiting, turn(at))) != thread; passed_over++)
        waiting &= ~mz_threads_of(next);
    return passed_over;
}

static mz_threads affordable(const mz__standing *at, uint32_t level)
{
    mz_threads threads = MZ_NO_THREADS, waiting = at->ready;
    for (uint32_t spent = at->spent; spent <= level && mz_threads_any(waiting); spent++) {
        mz_threads next = mz_threads_of(first_from(waiting, turn(at)));
        threads |= next;
        waiting &= ~next;
    }
    return threads;
}

static mz_threads left(mz_visits *visits, mz_hash trace, const mz__standing *at, uint32_t level)
{
    mz_threads threads = MZ_NO_THREADS;
    MZ_FOR_EACH_THREAD(t, affordable(at, level))
    {
        if (mz_visits_go_on(visits, trace, t, at->spent + cost(at, t)))
            threads |= mz_threads_of(t);
    }
    return threads;
}

static uint32_t first(const mz__standing *at, mz_threads threads)
{
    return first_from(threads, turn(at));
}

static bool most(const mz_search_options *options, uint32_t *count)
{
    *count = options->delays;
    return options->bounds_delays;
}

static void run(mz_search *s)
{
    static const mz__bound delays = {"delay", "delays", most, cost, affordable, left, first};
    mz__explore_levels(s, &delays);
}

static void set_delays(void *target, const char *value, mz_error *error)
{
    mz_search_options *options = target;
    options->bounds_delays = true;
    mz_parse_small("delays", value, &options->delays, error);
}

static const mz_option delays_option = {
    .name = "delays",
    .argument = "K",
    .help = "only executions in which a round-robin scheduler passes over K threads at most",
    .audience = MZ_FOR_CHECK,
    .set = set_delays,
};

const mz_algorithm mz_algorithm_delays = {
    .name = "delays",
    .description = "few delays of a round-robin scheduler first, level by level (--delays=K)",
    .equivalence = MZ_MAZURKIEWICZ,
    .in_levels = true,
    .options = (const mz_option *const[]){&delays_option, &mz_option_depth, NULL},
    .chosen_by = "delays",
    .one_worker = true,
    .run = run,
};
