/* Few preemptions first: Musuvathi, Qadeer, "Iterative context bounding for systematic testing of
 * multithreaded programs", PLDI 2007.
 *
 * A *preemption* is a step of another thread where the one that made the last step could have gone on.
 * Switching away from a thread that waits or has ended costs nothing. */
#include "algo/bounded/levels.h"

/* The thread that can go on without being preempted, as a set; empty if it cannot go on. */
static mz_threads going_on(const mz__standing *at)
{
    return at->last == MZ_NONE ? MZ_NO_THREADS : mz_threads_of(at->last) & at->ready;
}

/* Those that cost nothing. */
static mz_threads free_threads(const mz__standing *at)
{
    mz_threads last = going_on(at);
    return mz_threads_any(last) ? last : at->ready;
}

static uint32_t cost(const mz__standing *at, uint32_t thread)
{
    return !mz_threads_has(free_threads(at), thread);
}

static mz_threads affordable(const mz__standing *at, uint32_t level)
{
    return at->spent < level ? at->ready : free_threads(at);
}

static mz_threads left(mz_visits *visits, mz_hash trace, const mz__standing *at, uint32_t level)
{
    return mz_visits_arrive(visits, trace, at->ready, free_threads(at), at->spent, level);
}

static uint32_t first(const mz__standing *at, mz_threads threads)
{
    mz_threads last = threads & going_on(at);
    return mz_threads_first(mz_threads_any(last) ? last : threads);
}

static bool most(const mz_search_options *options, uint32_t *count)
{
    *count = options->preemptions;
    return options->bounds_preemptions;
}

static void run(mz_search *s)
{
    static const mz__bound preemptions = {"preemption", "preemptions", most, cost, affordable, left, first};
    mz__explore_levels(s, &preemptions);
}

static void set_preemptions(void *target, const char *value, mz_error *error)
{
    mz_search_options *options = target;
    options->bounds_preemptions = true;
    mz_parse_small("preemptions", value, &options->preemptions, error);
}

static const mz_option preemptions_option = {
    .name = "preemptions",
    .argument = "K",
    .help = "only executions with at most K preemptions, first those with 0, then 1, …",
    .audience = MZ_FOR_CHECK,
    .set = set_preemptions,
};

const mz_algorithm mz_algorithm_bounded = {
    .name = "bounded",
    .description = "few preemptions first, level by level (--preemptions=K): every trace once per level",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_ROUNDS,
    .in_levels = true,
    .options = (const mz_option *const[]){&preemptions_option, &mz_option_depth, NULL},
    .chosen_by = "preemptions",
    .one_worker = true,
    .run = run,
};
