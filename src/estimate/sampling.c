/* Stochastic enumeration of a tree whose leaves are the traces.
 *
 * The tree. From each state the awake threads of a persistent set are the children, in the order of their
 * numbers; a child puts its earlier siblings to sleep. Were the persistent sets right, each trace would be
 * one leaf (Godefroid: persistent sets and sleep sets together visit each trace exactly once). They rest on
 * what threads were seen to do (future.h): a conflict that was never seen makes the estimate too low. Unlike
 * that of `source`, this tree can be entered anywhere: a node does not depend on what was explored before it.
 *
 * The estimate. Knuth ("Estimating the efficiency of backtrack programs", 1975) follows one random path and
 * multiplies the numbers of children: right in the mean, but with a spread that grows with the depth. Here
 * many paths go down level by level. When there are more branches than the width allows, some are drawn, and
 * those carry more weight: a branch that is drawn with probability p counts for 1/p. Whatever the
 * probabilities are, the mean of the sum of the weights at the leaves is the number of leaves (Chen 1992;
 * Vaisman and Kroese, "Stochastic enumeration method for counting trees", 2017; for traces: Balasubramanian
 * et al., "State space estimation for DPOR-based model checkers", 2025). The spread is least if p is
 * proportional to the weight times the size of the subtree, so the sizes that earlier rounds have found for
 * branches of the same kind (strata.h) stand for that.
 *
 * A level is a state with a choice: where there is just one child the path goes on at once. */
#include "estimate/sampling.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "estimate/future.h"
#include "estimate/strata.h"
#include "estimate/waypoints.h"
#include "search/sleep.h"

/* A state with several children: the waypoint of the same number. */
typedef struct fork_state {
    double weight;
    mz_threads children, ready, sleep;
    uint32_t depth;
    uint32_t taken; /* the branch that has led here */
} fork_state;

typedef struct forks {
    fork_state *all;
    size_t count, capacity;
} forks;

typedef struct branch {
    double weight;
    double value; /* weight times the size to expect */
    uint32_t fork, thread;
    mz_threads sleep; /* before the operation: earlier siblings, too */
    mz_stratum stratum;
} branch;

/* A branch that was drawn, for learning from it afterwards. */
typedef struct taken_branch {
    double weight, size;
    uint32_t before; /* index of the one before it, 0 = none */
    mz_stratum stratum;
} taken_branch;

typedef struct estimator {
    mz_machine *machine;
    const mz_estimate_options *options;
    mz_future *future;
    mz_strata *strata;
    mz_waypoints waypoints;
    uint64_t random, steps, next_look;

    forks now, next;
    branch *branches;
    size_t branch_count, branch_capacity;
    taken_branch *taken;
    size_t taken_count, taken_capacity;
    uint32_t current; /* the taken branch being followed */
    uint32_t level;
    double leaves; /* complete ones */
    double pruned; /* leaves that are not followed to their end: they are visited, too */
    bool drawn;    /* some branches were left out in this round */

    mz_choices choices, tried;
    bool has_choices; /* the program chooses values: a step may have several outcomes */
    bool again;       /* that was learned just now: this round is void */
    bool stop;
    mz_estimate result;
} estimator;

/* ---- stepping ---------------------------------------------------------------------------------------- */

static double random_share(estimator *e)
{
    e->random += UINT64_C(0x9e3779b97f4a7c15);
    return (double)(mz_mix64(e->random) >> 11) * 0x1p-53;
}

static void count_steps(estimator *e, size_t steps)
{
    e->steps += steps;
    if (e->options->interrupted && *e->options->interrupted)
        e->stop = true;
    if (e->steps < e->next_look)
        return;
    e->next_look = e->steps + 64;
    bool late = e->options->deadline > 0 && mz_seconds_now() >= e->options->deadline;
    if (late || (e->options->steps > 0 && e->steps >= e->options->steps))
        e->stop = true;
}

static void note_outcome(estimator *e, mz_outcome outcome)
{
    e->result.error |= outcome == MZ_STEP_FAILED;
    e->result.begin_again |= e->machine->begin_again;
    if (outcome == MZ_STEP_GIVEN_UP || e->machine->begin_again)
        e->stop = true;
}

static void perform(estimator *e, uint32_t thread, mz_operation *executed)
{
    note_outcome(e, mz_waypoints_step(&e->waypoints, thread, &e->choices, executed));
    count_steps(e, 1);
    if (!e->stop)
        mz_future_learn(e->future, thread, e->waypoints.lengths[thread], executed);
}

/* Returns who sleeps afterwards. */
static mz_threads step(estimator *e, uint32_t thread, mz_threads sleep)
{
    mz_operation executed;
    perform(e, thread, &executed);
    if (e->choices.count > 0 && !e->has_choices)
        e->has_choices = e->again = e->stop = true;
    return e->stop ? MZ_NO_THREADS : mz_still_asleep(e->machine, sleep & ~mz_threads_of(thread), &executed);
}

/* ---- the tree ---------------------------------------------------------------------------------------- */

static mz_threads children_of(estimator *e, mz_threads sleep)
{
    return e->options->interleavings ? e->machine->status->ready
                                     : mz_future_persistent(e->future, sleep, e->waypoints.lengths);
}

static void end_path(estimator *e, double weight)
{
    const mz_status *status = e->machine->status;
    e->taken[e->current].size++;
    if (mz_threads_any(status->pruned)) {
        e->pruned += weight;
        return;
    }
    e->leaves += weight;
    e->result.error |= mz_threads_any(status->blocked) && !mz_threads_any(status->failed) && !status->ended &&
                       !status->redundant;
}

static void keep_fork(estimator *e, fork_state fork)
{
    e->next.all = mz_grow(e->next.all, &e->next.capacity, e->next.count + 1, sizeof *e->next.all);
    e->next.all[e->next.count++] = fork;
    mz_waypoints_keep(&e->waypoints);
}

/* From the machine's state to the next fork or the end. With choices about, every state is a fork: only there
 * can all outcomes of a step be tried. */
static void follow(estimator *e, double weight, mz_threads sleep, uint32_t depth)
{
    for (; !e->stop; depth++) {
        mz_threads ready = e->machine->status->ready;
        if (!mz_threads_any(ready)) {
            end_path(e, weight);
            return;
        }
        e->stop |= e->options->depth > 0 && depth >= e->options->depth;
        mz_threads children = children_of(e, sleep);
        if (!mz_threads_any(children))
            return;
        if (mz_threads_any(mz_threads_rest(children)) || e->has_choices) {
            keep_fork(e, (fork_state){weight, children, ready, sleep, depth, e->current});
            return;
        }
        mz_choices_prescribe(&e->choices, NULL, 0);
        sleep = step(e, mz_threads_first(children), sleep);
    }
}

/* Take a branch, with every outcome of its choices. */
static void take(estimator *e, const branch *b)
{
    const fork_state *fork = &e->now.all[b->fork];
    e->taken = mz_grow(e->taken, &e->taken_capacity, e->taken_count + 1, sizeof *e->taken);
    e->current = (uint32_t)e->taken_count;
    e->taken[e->taken_count++] =
        (taken_branch){.weight = b->weight, .before = fork->taken, .stratum = b->stratum};
    size_t prescribed = 0;
    do {
        count_steps(e, mz_waypoints_go_to(&e->waypoints, b->fork));
        note_outcome(e, MZ_STEP_DONE);
        if (e->stop)
            return;
        mz_choices_prescribe(&e->choices, e->tried.made, prescribed);
        mz_threads sleep = step(e, b->thread, b->sleep);
        mz_choices_prescribe(&e->tried, e->choices.made, e->choices.count);
        follow(e, b->weight, sleep, fork->depth + 1);
        prescribed = mz_choices_next(e->tried.made, e->tried.prescribed);
    } while (prescribed > 0 && !e->stop);
}

/* ---- one level after the other ----------------------------------------------------------------------- */

static void list_branches(estimator *e)
{
    e->branch_count = 0;
    for (size_t f = 0; f < e->now.count; f++) {
        const fork_state *fork = &e->now.all[f];
        mz_threads sleep = fork->sleep;
        MZ_FOR_EACH_THREAD(t, fork->children)
        {
            e->branches = mz_grow(e->branches, &e->branch_capacity, e->branch_count + 1, sizeof *e->branches);
            branch *b = &e->branches[e->branch_count++];
            *b = (branch){.weight = fork->weight, .fork = (uint32_t)f, .thread = t, .sleep = sleep};
            b->stratum = mz_stratum_of_branch(e->strata, e->level, fork->ready, sleep, t);
            b->value = b->weight * mz_strata_expect(e->strata, &b->stratum);
            sleep |= e->options->interleavings ? MZ_NO_THREADS : mz_threads_of(t);
        }
    }
}

/* The value at which a branch is kept for certain: those below it are drawn with the probability value /
 * threshold, so that `width` are kept in the mean. It falls from step to step, but for what rounding makes of
 * values that are just as large: so the end is when there are no more that are kept, not when there are as
 * many. */
static double threshold_for(const estimator *e, size_t width)
{
    double threshold = 0;
    for (size_t before = 0;;) {
        size_t certain = 0;
        double rest = 0;
        for (size_t i = 0; i < e->branch_count; i++)
            if (threshold > 0 && e->branches[i].value >= threshold)
                certain++;
            else
                rest += e->branches[i].value;
        if (certain >= width || (threshold > 0 && certain <= before))
            return threshold;
        before = certain;
        threshold = rest / (double)(width - certain);
        if (!(threshold > 0))
            return 0; /* nothing was ever found below any of them: all are kept */
    }
}

/* Draw about `width` of the branches, evenly along their order: relatives stand together, and each family
 * gets its share (systematic sampling). */
static void draw(estimator *e, size_t width)
{
    if (e->branch_count <= width)
        return;
    double threshold = threshold_for(e, width), next = random_share(e) * threshold;
    size_t kept = 0;
    e->drawn = true;
    for (size_t i = 0; i < e->branch_count; i++) {
        branch b = e->branches[i];
        if (b.value < threshold) {
            next -= b.value;
            if (next >= 0)
                continue;
            next += threshold;
            b.weight *= threshold / b.value;
        }
        e->branches[kept++] = b;
    }
    e->branch_count = kept;
}

/* The size of a subtree, as far as it was drawn, is an estimate of its size: branches carry the weight of
 * those left out. */
static void learn_sizes(estimator *e)
{
    mz_strata_fade(e->strata);
    for (size_t i = e->taken_count; i-- > 1;) {
        const taken_branch *t = &e->taken[i];
        taken_branch *before = &e->taken[t->before];
        before->size += t->size * t->weight / before->weight;
        mz_strata_learn(e->strata, &t->stratum, t->size);
    }
}

/* The choices before the first operation are no branches: all of them are followed. */
static void begin_paths(estimator *e)
{
    size_t prescribed = 0;
    do {
        mz_choices_prescribe(&e->choices, e->tried.made, prescribed);
        note_outcome(e, mz_waypoints_reset(&e->waypoints, &e->choices));
        count_steps(e, 1);
        mz_choices_prescribe(&e->tried, e->choices.made, e->choices.count);
        follow(e, 1, MZ_NO_THREADS, 0);
        prescribed = mz_choices_next(e->tried.made, e->tried.prescribed);
    } while (prescribed > 0 && !e->stop);
}

static bool run_round(estimator *e, size_t width)
{
    mz_waypoints_clear(&e->waypoints);
    e->taken = mz_grow(e->taken, &e->taken_capacity, 1, sizeof *e->taken);
    e->taken[0] = (taken_branch){.weight = 1};
    e->taken_count = 1;
    e->current = e->level = 0;
    e->leaves = e->pruned = 0;
    e->next.count = 0;
    e->again = e->stop = e->drawn = false;
    begin_paths(e);
    for (; e->next.count > 0 && !e->stop; e->level++) {
        forks old = e->now;
        e->now = e->next;
        e->next = old;
        e->next.count = 0;
        mz_waypoints_turn(&e->waypoints);
        list_branches(e);
        draw(e, width);
        for (size_t i = 0; i < e->branch_count && !e->stop; i++)
            take(e, &e->branches[i]);
    }
    if (!e->stop)
        learn_sizes(e);
    return !e->stop;
}

/* ---- rehearsal: what threads do ------------------------------------------------------------------------ */

/* One execution in which the thread with the highest rank goes first. */
static void rehearse_once(estimator *e, const double *ranks)
{
    mz_waypoints_clear(&e->waypoints);
    mz_choices_prescribe(&e->choices, NULL, 0);
    note_outcome(e, mz_waypoints_reset(&e->waypoints, &e->choices));
    for (uint64_t depth = 0; mz_threads_any(e->machine->status->ready) && !e->stop; depth++) {
        uint32_t first = mz_threads_first(e->machine->status->ready);
        MZ_FOR_EACH_THREAD(t, e->machine->status->ready)
        {
            if (ranks[t] > ranks[first])
                first = t;
        }
        mz_operation executed;
        mz_choices_prescribe(&e->choices, NULL, 0);
        perform(e, first, &executed);
        if (e->options->depth > 0 && depth >= e->options->depth)
            e->stop = true;
    }
}

/* Each thread goes once before all others and once after them, and the rest in some order: what a thread does
 * only if nobody has interfered is then seen, and what it does only if everybody has. */
static void rehearse(estimator *e)
{
    double ranks[MZ_MAX_THREADS];
    uint32_t threads = e->machine->thread_capacity;
    for (uint32_t i = 0; i < 2 * threads && !e->stop; i++) {
        if (mz_threads_any(e->future->threads) && !mz_threads_has(e->future->threads, i % threads))
            continue; /* there is no such thread */
        for (uint32_t t = 0; t < threads; t++)
            ranks[t] = random_share(e);
        ranks[i % threads] = i < threads ? 2 : -1;
        rehearse_once(e, ranks);
    }
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

enum { FIRST_WIDTH = 8, LARGEST_WIDTH = 1 << 20 };

/* Twice as wide, or as wide as the time that is left allows; 0: not worth it. */
static size_t next_width(const estimator *e, size_t width, double seconds)
{
    size_t next = width * 2 < LARGEST_WIDTH ? width * 2 : LARGEST_WIDTH;
    if (e->options->deadline == 0)
        return next;
    double left = e->options->deadline - mz_seconds_now();
    double fitting = (double)width * 0.8 * left / (seconds + 1e-6);
    if (fitting < (double)next)
        next = fitting > 0 ? (size_t)fitting : 0;
    return next >= FIRST_WIDTH && next >= width / 8 ? next : 0;
}

/* Wider rounds spread less; the mean gives them more weight. A round in which a thread surprised by doing
 * something new is no round of one tree: it stands in only where there is no other. */
static void run_rounds(estimator *e)
{
    double sum = 0, pruned = 0, weights = 0;
    for (size_t width = FIRST_WIDTH; width > 0;) {
        uint64_t surprises = e->future->surprises;
        double started = mz_seconds_now();
        bool finished = run_round(e, width);
        if (e->again)
            continue;
        if (!finished)
            return;
        bool surprised = e->future->surprises != surprises;
        if (!surprised) {
            double weight = (double)width * (double)width;
            sum += e->leaves * weight;
            pruned += e->pruned * weight;
            weights += weight;
        }
        e->result.rounds++;
        e->result.known = true;
        e->result.counted = !e->drawn && !surprised;
        bool mean = weights > 0 && !e->result.counted;
        e->result.traces = mean ? sum / weights : e->leaves;
        e->result.executions = e->result.traces + (mean ? pruned / weights : e->pruned);
        if (e->result.counted)
            return;
        width = next_width(e, width, mz_seconds_now() - started);
    }
}

mz_estimate mz_estimate_learn(mz_machine *machine, const mz_estimate_options *options, mz_future *future,
                              mz_strata *strata)
{
    estimator e = {.machine = machine,
                   .options = options,
                   .future = future,
                   .strata = strata,
                   .random = 1 + (options->seed << 32)};
    mz_waypoints_init(&e.waypoints, machine);
    rehearse(&e);
    if (!e.stop)
        run_rounds(&e);
    mz_waypoints_release(&e.waypoints);
    mz_release(e.now.all);
    mz_release(e.next.all);
    mz_release(e.branches);
    mz_release(e.taken);
    mz_release(e.choices.made);
    mz_release(e.tried.made);
    return e.result;
}

mz_estimate mz_estimate_size(mz_machine *machine, const mz_estimate_options *options)
{
    mz_future future;
    mz_strata strata;
    mz_future_init(&future, machine);
    mz_strata_init(&strata);
    mz_estimate estimate = mz_estimate_learn(machine, options, &future, &strata);
    mz_future_release(&future);
    mz_strata_release(&strata);
    return estimate;
}

double mz_estimate_executions(mz_machine *machine, bool interleavings, double deadline, uint64_t depth)
{
    mz_estimate estimate = mz_estimate_size(
        machine,
        &(mz_estimate_options){.interleavings = interleavings, .deadline = deadline, .depth = depth});
    return estimate.known ? estimate.executions : 0;
}
