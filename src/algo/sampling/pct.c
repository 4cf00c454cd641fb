/* Probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler
 * with probabilistic guarantees of finding bugs", ASPLOS 2010.
 *
 * The *depth* d of a bug is the number of orderings between events that are enough for it to happen: 1 for an
 * order violation, 2 for an atomicity violation or a deadlock of two locks. For depth d and n threads the
 * threads get the priorities d, d + 1, …, d + n - 1 at random. Of the steps 1 to k of an execution d - 1 are
 * drawn, the *change points*. At each step the ready thread with the highest priority goes on; when it makes
 * the step of the i-th change point, its priority becomes i, below all others. A bug of depth d is met with a
 * probability of at least 1/(n k^(d-1)) in each execution, whatever the program does otherwise.
 *
 * Where we differ. The number of steps k is not known: it is that of the longest execution so far; the first
 * one has none. How many threads there are shows only when they are created: each number has its priority
 * from the beginning, and only their order matters. */
#include "algo/sampling/walks.h"

#include "base/memory.h"

enum { DEFAULT_DEPTH = 3, DEEPEST = 64 };

typedef struct pct {
    uint64_t depth;
    uint64_t changes[DEEPEST]; /* [0 … depth - 1): after so many steps; all of them >= 1 */
    uint64_t priorities[MZ_MAX_THREADS];
} pct;

static void *create(mz__walks *w)
{
    (void)w;
    return mz_allocate_zeroed(1, sizeof(pct));
}

/* One depth after the other, if none was asked for and there are other strategies (mix.c) as well. */
static uint64_t depth_for(const mz__walks *w)
{
    enum { LARGEST_IN_TURN = 6 };
    uint64_t asked = w->search->options.bug_depth;
    if (asked > 0)
        return asked < DEEPEST ? asked : DEEPEST;
    return w->strategy == &mz__strategy_pct ? DEFAULT_DEPTH
                                            : 1 + w->search->statistics.executions / 4 % LARGEST_IN_TURN;
}

static void begin(mz__walks *w, void *data)
{
    pct *p = data;
    p->depth = depth_for(w);
    for (uint32_t t = 0; t < w->search->machine->thread_capacity; t++)
        p->priorities[t] = DEEPEST + mz__draw(w, UINT64_C(1) << 40);
    for (uint64_t i = 0; i + 1 < p->depth; i++)
        p->changes[i] = 1 + (w->longest > 0 ? mz__draw(w, w->longest) : 0);
}

static uint32_t highest_of(const pct *p, mz_threads threads)
{
    uint32_t highest = mz_threads_first(threads);
    MZ_FOR_EACH_THREAD(t, threads)
    {
        if (p->priorities[t] > p->priorities[highest])
            highest = t;
    }
    return highest;
}

/* The thread that makes the step of a change point has its new priority when it has made it: at the next
 * choice. */
static uint32_t choose(mz__walks *w, void *data, mz_threads ready)
{
    pct *p = data;
    const mz_execution *x = w->search->execution;
    for (uint64_t i = 0; x->length > 0 && i + 1 < p->depth; i++)
        if (p->changes[i] == x->length)
            p->priorities[x->events[x->length - 1].thread] = i + 1;
    return highest_of(p, ready);
}

static void tell(const void *data, mz_text *out)
{
    mz_text_add(out, "pct, depth %u", (unsigned)((const pct *)data)->depth);
}

const mz__strategy mz__strategy_pct = {
    .name = "pct", .create = create, .release = mz_release, .begin = begin, .choose = choose, .tell = tell};

static void run(mz_search *s)
{
    mz__walk(s, &mz__strategy_pct);
}

const mz_algorithm mz_algorithm_pct = {
    .name = "pct",
    .description = "executions by random priorities, of which few change on the way (fuzz --strategy=pct)",
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
