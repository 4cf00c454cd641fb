/* Random walks: executions of the whole program, at each step of which every thread that can go on is as
 * likely as the others. Nothing is concluded from those in which nothing goes wrong. It is for programs that
 * are too large for anything else, and a yardstick: what does a search find that chance does not?
 *
 * What is drawn depends on the seed and on what was drawn before, never on a clock: the first K executions
 * are the same for every --runs=N from K on, and those of a search that had to begin again are those that it
 * would have had if it had known everything before. Executions of one trace are told apart from new ones,
 * so that one sees how much was repeated: clocks serve only that here. */
#include "algo/algorithm.h"

#include "base/hash.h"

enum { RUNS, SEED }; /* in mz_search_options.own */
enum { RUNS_BY_DEFAULT = 1000 };

typedef struct walks {
    uint64_t random;
    uint64_t wanted; /* executions altogether */
    uint64_t here;   /* executions until the program is to be reset */
} walks;

static uint64_t draw(walks *w, uint64_t below)
{
    w->random += UINT64_C(0x9e3779b97f4a7c15);
    return (mz_mix64(w->random) >> 16) % below; /* of 48 bits: what threads differ by cannot be measured */
}

static uint32_t any_of(walks *w, mz_threads threads)
{
    for (uint64_t skip = draw(w, mz_threads_count(threads)); skip > 0; skip--)
        threads = mz_threads_rest(threads);
    return mz_threads_first(threads);
}

/* The first node after a reset. What is chosen before it is drawn there and nowhere else, so that one
 * execution is all that may follow; without such choices all may, and going back costs less. */
static void enter(mz_search *s, mz_node *node)
{
    walks *w = s->algorithm_data;
    (void)node;
    w->here = s->execution->initial_choices > 0 ? s->statistics.executions + 1 : w->wanted;
}

/* An execution that has come to its end may have threads that can go on (--depth). */
static bool next(mz_search *s, mz_node *node, uint32_t *thread)
{
    walks *w = s->algorithm_data;
    if (s->at_leaf || s->statistics.executions >= w->here)
        return false;
    mz_choices_prescribe(&s->choices, NULL, 0);
    *thread = any_of(w, node->enabled);
    return true;
}

static size_t to_the_beginning(mz_search *s)
{
    (void)s;
    return 0;
}

/* Until the program has to be reset, and its first choices drawn again. */
static void walk(mz_search *s)
{
    static const mz_depth_first hooks = {
        .track_order = true,
        .repeats = true,
        .enter = enter,
        .next = next,
        .return_to = to_the_beginning,
    };
    uint64_t checks_before = s->statistics.dependency_checks;
    mz_execution_destroy(s->execution);
    mz_explore_depth_first(s, &hooks);
    s->statistics.dependency_checks += checks_before; /* the driver knows of its own */
}

static void run(mz_search *s)
{
    uint64_t runs = s->options.own[RUNS], seed = mz_mix64(s->options.own[SEED]);
    walks w = {.random = seed, .wanted = runs > 0 ? runs : RUNS_BY_DEFAULT};
    s->algorithm_data = &w;
    s->choices.random = ~seed | 1;
    s->options.one_valuation = true; /* not one search for every value of the first choices */
    s->next_scouting = 0;            /* which would do the same, with what is not our seed */
    while (!s->stop && s->statistics.executions < w.wanted)
        walk(s);
    s->algorithm_data = NULL;
}

/* Any number, 0 as well. */
static void set_seed(void *target, const char *value, mz_error *error)
{
    mz_search_options *options = target;
    uint32_t seed = 0;
    if (mz_parse_small("seed", value, &seed, error))
        options->own[SEED] = seed;
}

static const mz_option runs_option = {
    .name = "runs",
    .argument = "K",
    .help = "so many executions at random (default: 1000)",
    .audience = MZ_FOR_CHECK,
    .type = MZ_OPTION_COUNT,
    .at = offsetof(mz_search_options, own[RUNS]),
};

static const mz_option seed_option = {
    .name = "seed",
    .argument = "N",
    .help = "draw others: 1, 2, … (default: 0)",
    .audience = MZ_FOR_CHECK,
    .set = set_seed,
};

const mz_algorithm mz_algorithm_random = {
    .name = "random",
    .description = "executions at random, every thread equally likely at each step (--runs=K, --seed=N)",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_CLASSES | MZ_REFINES_ROUNDS,
    .repeats = true,
    .samples = "random",
    .in_one_piece = true,
    .options = (const mz_option *const[]){&runs_option, &seed_option, &mz_option_depth, NULL},
    .chosen_by = "runs",
    .run = run,
};
