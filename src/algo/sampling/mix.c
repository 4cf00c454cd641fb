/* All strategies in turn: nobody knows beforehand which one suits a program. Of eight executions two are by
 * priorities, with one depth after the other (pct.c), two follow others (coverage.c), two are plain random
 * walks. What the others find new is known to coverage.c, too. */
#include "algo/sampling/walks.h"

#include "base/memory.h"

enum { STRATEGIES = 5, RANDOM = 3 };

static const mz__strategy *const strategies[STRATEGIES] = {&mz__strategy_pct, &mz__strategy_bursts,
                                                           &mz__strategy_coverage, &mz__strategy_random,
                                                           &mz__strategy_uniform};
/* Which one has its turn: indices of the above. */
static const uint8_t turns[] = {0, 1, 2, 0, 3, 2, 3, 4};
enum { TURNS = sizeof turns };

typedef struct mix {
    void *data[STRATEGIES];
    size_t current;
} mix;

static bool has_turn(const mz__walks *w, size_t strategy)
{
    return !w->graph || !strategies[strategy]->interleaves;
}

static void *create(mz__walks *w)
{
    mix *m = mz_allocate_zeroed(1, sizeof *m);
    for (size_t i = 0; i < STRATEGIES; i++)
        m->data[i] = strategies[i]->create && has_turn(w, i) ? strategies[i]->create(w) : NULL;
    return m;
}

static void release(void *data)
{
    mix *m = data;
    for (size_t i = 0; i < STRATEGIES; i++)
        if (strategies[i]->release && m->data[i])
            strategies[i]->release(m->data[i]);
    mz_release(m);
}

static void begin(mz__walks *w, void *data)
{
    mix *m = data;
    m->current = turns[w->search->statistics.executions % TURNS];
    m->current = has_turn(w, m->current) ? m->current : RANDOM;
    if (strategies[m->current]->begin)
        strategies[m->current]->begin(w, m->data[m->current]);
}

static uint32_t choose(mz__walks *w, void *data, mz_threads ready)
{
    mix *m = data;
    return strategies[m->current]->choose(w, m->data[m->current], ready);
}

static void end(mz__walks *w, void *data, bool is_new)
{
    mix *m = data;
    for (size_t i = 0; i < STRATEGIES; i++)
        if (i == m->current && strategies[i]->end)
            strategies[i]->end(w, m->data[i], is_new);
        else if (i != m->current && strategies[i]->watch && has_turn(w, i))
            strategies[i]->watch(w, m->data[i], is_new);
}

static void tell(const void *data, mz_text *out)
{
    const mix *m = data;
    const mz__strategy *current = strategies[m->current];
    if (current->tell)
        current->tell(m->data[m->current], out);
    else
        mz_text_add(out, "%s", current->name);
}

static const mz__strategy mixed = {.name = "mix",
                                   .create = create,
                                   .release = release,
                                   .begin = begin,
                                   .choose = choose,
                                   .end = end,
                                   .tell = tell};

static void run(mz_search *s)
{
    mz__walk(s, &mixed);
}

const mz_algorithm mz_algorithm_mix = {
    .name = "mix",
    .description = "pct, bursts, coverage, random and uniform in turn: what 'mazurka fuzz' does",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_ROUNDS,
    .repeats = true,
    .samples = "random",
    .grows_graphs = true,
    .in_one_piece = true,
    .options = (const mz_option *const[]){&mz__option_runs, &mz__option_seed, &mz__option_bug_depth,
                                          &mz_option_depth, NULL},
    .run = run,
};
