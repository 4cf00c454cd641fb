/* Executions one after the other, each to its end: what algorithms that sample have in common. A strategy
 * says who goes on at each step.
 *
 * What is drawn depends on the seed and on the executions before, never on a clock: the first K executions
 * are the same for every --runs=N from K on, and those of a search that had to begin again are those that it
 * would have had if it had known everything before. Of an independent strategy each execution depends on the
 * seed and its own number alone, so that several processes can make them: a work item is a range of numbers.
 * Nothing is concluded from executions in which nothing goes wrong. Those of one trace are told apart from
 * new ones, so that one sees how much was repeated. */
#ifndef MZ_ALGO_SAMPLING_WALKS_H
#define MZ_ALGO_SAMPLING_WALKS_H

#include "algo/algorithm.h"
#include "algo/graph/growing.h"

typedef struct mz__walks {
    mz_search *search;
    const struct mz__strategy *strategy;
    void *data;         /* of the strategy */
    mz__growing *graph; /* under weak memory: the execution at hand */
    bool takes_back;    /* its last step is to be taken back */
    bool goes_on;       /* that was done: it is the same execution, also if no step is left */
    uint64_t random;
    uint64_t first;   /* the number of the first execution */
    uint64_t wanted;  /* executions from that one on */
    uint64_t here;    /* executions until the program is to be reset */
    uint64_t longest; /* events of the longest execution so far */
    uint64_t known;   /* traces, before the one at hand */
} mz__walks;

typedef struct mz__strategy {
    const char *name;
    bool independent; /* an execution is a function of the seed and of its number */
    bool interleaves; /* it rests on executions being interleavings: with weak memory it has no turn */
    /* What it keeps; NULL if it keeps nothing. The machine may be used. */
    void *(*create)(mz__walks *walks);
    void (*release)(void *data);
    /* An execution begins. May be NULL. */
    void (*begin)(mz__walks *walks, void *data);
    /* Who goes on, of those that are ready? The machine is in the state of the node. */
    uint32_t (*choose)(mz__walks *walks, void *data, mz_threads ready);
    /* The execution has ended; is it of a new trace? May be NULL. */
    void (*end)(mz__walks *walks, void *data, bool is_new);
    /* The same of an execution that another strategy has made. May be NULL. */
    void (*watch)(mz__walks *walks, void *data, bool is_new);
    /* What has found the error, in words: "pct, depth 3". NULL: its name. */
    void (*tell)(const void *data, mz_text *out);
} mz__strategy;

/* One for each file of their names. */
extern const mz__strategy mz__strategy_random, mz__strategy_bursts, mz__strategy_pct, mz__strategy_uniform,
    mz__strategy_coverage;

/* So many as --runs says, or until the search is stopped. */
void mz__walk(mz_search *search, const mz__strategy *strategy);

uint64_t mz__draw(mz__walks *walks, uint64_t below);
/* From 0 up to, but not including, 1. */
double mz__draw_share(mz__walks *walks);
uint32_t mz__any_of(mz__walks *walks, mz_threads threads);

/* --runs=K, --seed=N, and of `fuzz` --depth=D: all take these. */
extern const mz_option mz__option_runs, mz__option_seed, mz__option_bug_depth;
extern const mz_option *const mz__sampling_options[];

#endif
