/* Random walks in bursts: the thread that made the last step goes on, but for one step in 2, 4 or 8 (drawn
 * for each execution), at which anybody may. A plain random walk lets threads alternate so often that none of
 * them comes far before the others have changed everything; most errors need a thread to come through some
 * steps of an operation while the others stand still. */
#include "algo/sampling/walks.h"

#include "base/memory.h"

typedef struct bursts {
    uint64_t length; /* of a burst, in the mean */
} bursts;

static void *create(mz__walks *w)
{
    (void)w;
    return mz_allocate_zeroed(1, sizeof(bursts));
}

static void begin(mz__walks *w, void *data)
{
    bursts *b = data;
    b->length = UINT64_C(2) << mz__draw(w, 3);
}

static uint32_t choose(mz__walks *w, void *data, mz_threads ready)
{
    const bursts *b = data;
    const mz_execution *x = w->search->execution;
    uint32_t last = x->length > 0 ? x->events[x->length - 1].thread : mz_threads_first(ready);
    bool goes_on = mz_threads_has(ready, last) && mz__draw(w, b->length) != 0;
    return goes_on ? last : mz__any_of(w, ready);
}

const mz__strategy mz__strategy_bursts = {.name = "bursts",
                                          .independent = true,
                                          .create = create,
                                          .release = mz_release,
                                          .begin = begin,
                                          .choose = choose};

static void run(mz_search *s)
{
    mz__walk(s, &mz__strategy_bursts);
}

const mz_algorithm mz_algorithm_bursts = {
    .name = "bursts",
    .description = "executions at random in which a thread goes on for a while (fuzz --strategy=bursts)",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_ROUNDS,
    .repeats = true,
    .samples = "random",
    .grows_graphs = true,
    .shows_parts = true,
    .options = mz__sampling_options,
    .run = run,
};
