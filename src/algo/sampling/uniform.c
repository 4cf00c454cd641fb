/* Traces at random, each as likely as the others, as far as that can be had without knowing them all.
 *
 * A random walk prefers the traces of many linearisations: of two threads, one with long work of its own, it
 * hardly ever lets the short one come late. Here the walk goes down the tree that the estimator samples
 * (estimate/sampling.c), whose leaves are the traces: from each state the awake threads of a persistent set,
 * each putting its earlier siblings to sleep. A branch is taken with a probability proportional to how many
 * traces are expected below it (estimate/strata.h). Were the expectations right, every trace would be exactly
 * as likely as the others.
 *
 * They are learned, first by some rounds of the estimator, and then from each walk: a leaf that was reached
 * with probability p from a branch is worth 1/p leaves below that (Knuth 1975). What threads may still do is
 * what they were seen to do, and what nobody has seen the persistent sets keep from happening: so one walk in
 * eight is a plain one. */
#include "algo/sampling/walks.h"

#include "base/memory.h"
#include "estimate/future.h"
#include "estimate/sampling.h"
#include "estimate/strata.h"
#include "search/sleep.h"

/* Steps of the estimator before the first walk. */
enum { STEPS_BEFORE = 20000, PLAIN_ONE_IN = 8 };

typedef struct taken_branch {
    mz_stratum stratum;
    double probability;
} taken_branch;

typedef struct uniform {
    mz_future future;
    mz_strata strata;
    mz_threads sleep;
    bool plain;     /* a random walk */
    bool redundant; /* all that could follow sleeps: the trace is another branch's */
    taken_branch *taken;
    size_t taken_count, taken_capacity;
    mz_access *accesses; /* of the last event */
    size_t access_capacity;
} uniform;

static void *create(mz__walks *w)
{
    mz_search *s = w->search;
    uniform *u = mz_allocate_zeroed(1, sizeof *u);
    mz_future_init(&u->future, s->machine);
    mz_strata_init(&u->strata);
    mz_estimate_learn(s->machine,
                      &(mz_estimate_options){.seed = s->options.seed,
                                             .steps = STEPS_BEFORE,
                                             .depth = s->options.limits.depth,
                                             .interrupted = s->options.limits.interrupted},
                      &u->future, &u->strata);
    s->machine_depth = SIZE_MAX;
    s->machine_prefix = 0;
    if (s->machine->begin_again)
        s->stop = s->begin_again = true;
    return u;
}

static void release(void *data)
{
    uniform *u = data;
    mz_future_release(&u->future);
    mz_strata_release(&u->strata);
    mz_release(u->taken);
    mz_release(u->accesses);
    mz_release(u);
}

static void begin(mz__walks *w, void *data)
{
    uniform *u = data;
    u->sleep = MZ_NO_THREADS;
    u->taken_count = 0;
    u->redundant = false;
    u->plain = mz__draw(w, PLAIN_ONE_IN) == 0;
}

/* What the last event tells: of its thread, and who wakes up. */
static void pass_event(uniform *u, mz_search *s)
{
    const mz_execution *x = s->execution;
    const mz_event *event = &x->events[x->length - 1];
    u->accesses = mz_grow(u->accesses, &u->access_capacity, event->access_count, sizeof *u->accesses);
    for (uint32_t i = 0; i < event->access_count; i++)
        u->accesses[i] = x->records[event->first_access + i].access;
    mz_operation executed = {
        .kind = event->kind, .access_count = event->access_count, .accesses = u->accesses};
    mz_future_learn(&u->future, event->thread, event->index, &executed);
    u->sleep = mz_still_asleep(s->machine, u->sleep & ~mz_threads_of(event->thread), &executed);
}

/* One of several branches. */
static uint32_t draw_branch(mz__walks *w, uniform *u, mz_threads children, mz_threads ready)
{
    mz_stratum strata[MZ_MAX_THREADS];
    double expected[MZ_MAX_THREADS], sum = 0;
    mz_threads sleep = u->sleep;
    MZ_FOR_EACH_THREAD(t, children)
    {
        strata[t] = mz_stratum_of_branch(&u->strata, (uint32_t)u->taken_count, ready, sleep, t);
        expected[t] = mz_strata_size(&u->strata, &strata[t]);
        sum += expected[t];
        sleep |= mz_threads_of(t);
    }
    double rest = mz__draw_share(w) * sum;
    uint32_t chosen = mz_threads_last(children);
    MZ_FOR_EACH_THREAD(t, children)
    {
        rest -= expected[t];
        if (rest < 0) {
            chosen = t;
            break;
        }
    }
    u->sleep |= children & ~mz_threads_of(chosen) & ~mz_threads_after(children, chosen);
    u->taken = mz_grow(u->taken, &u->taken_capacity, u->taken_count + 1, sizeof *u->taken);
    u->taken[u->taken_count++] = (taken_branch){strata[chosen], expected[chosen] / sum};
    return chosen;
}

static uint32_t choose(mz__walks *w, void *data, mz_threads ready)
{
    uniform *u = data;
    mz_search *s = w->search;
    if (s->execution->length > 0)
        pass_event(u, s);
    if (u->plain || u->redundant)
        return mz__any_of(w, ready);
    mz_threads children = mz_future_persistent(&u->future, u->sleep, s->execution->thread_length);
    if (!mz_threads_any(children)) {
        u->redundant = true;
        return mz__any_of(w, ready);
    }
    return mz_threads_any(mz_threads_rest(children)) ? draw_branch(w, u, children, ready)
                                                     : mz_threads_first(children);
}

/* How large the subtrees of the branches on the way are, as far as this walk tells. */
static void end(mz__walks *w, void *data, bool is_new)
{
    uniform *u = data;
    double size = u->redundant ? 0 : 1;
    (void)is_new;
    if (w->search->execution->length > 0)
        pass_event(u, w->search);
    for (size_t i = u->plain ? 0 : u->taken_count; i-- > 0;) {
        mz_strata_learn(&u->strata, &u->taken[i].stratum, size);
        size /= u->taken[i].probability;
    }
}

const mz__strategy mz__strategy_uniform = {.name = "uniform",
                                           .interleaves = true,
                                           .create = create,
                                           .release = release,
                                           .begin = begin,
                                           .choose = choose,
                                           .end = end};

static void run(mz_search *s)
{
    mz__walk(s, &mz__strategy_uniform);
}

const mz_algorithm mz_algorithm_uniform = {
    .name = "uniform",
    .description = "traces at random, each about equally likely (fuzz --strategy=uniform)",
    .equivalence = MZ_MAZURKIEWICZ,
    .refinements = MZ_REFINES_ROUNDS,
    .repeats = true,
    .samples = "random",
    .in_one_piece = true,
    .options = mz__sampling_options,
    .run = run,
};
