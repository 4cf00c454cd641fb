/* An exploration algorithm. Adding one = one file + one line in MZ_ALGORITHMS. */
#ifndef MZ_ALGO_ALGORITHM_H
#define MZ_ALGO_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>

#include "algo/options.h"
#include "search/search.h"

typedef enum mz_equivalence {
    MZ_INTERLEAVING, /* every order of operations is its own */
    MZ_MAZURKIEWICZ, /* executions that order all dependent events alike are one trace */
    MZ_OBSERVATION,  /* executions in which all reads read from the same writes are one */
    MZ_GRAPH,        /* the same, if the writes of each location have the same order, too */
} mz_equivalence;

/* How much an algorithm would visit, by sampling its own tree. */
typedef struct mz_tree_size {
    bool known;        /* false: there was no time for anything */
    bool counted;      /* nothing was left out */
    bool error;        /* a failure or a deadlock was seen */
    bool begin_again;  /* stopped because the machine has learned something: see mz_machine */
    double traces;     /* complete ones: what the algorithm takes for one execution */
    double executions; /* with those that are pruned or redundant */
    size_t rounds;
} mz_tree_size;

typedef struct mz_algorithm {
    const char *name;
    const char *description; /* one line */
    mz_equivalence equivalence;
    mz_relation refinements; /* of the dependency relation: those that its argument covers */

    /* What it claims. The oracle holds it to that. */
    bool optimal;       /* no execution ends blocked (unless waiting is complex), none repeats a trace */
    bool repeats;       /* may visit a trace more than once */
    bool only_on_trees; /* visits an observation once if the threads that share locations form trees, else as
                         * often as it has traces at most */
    bool in_levels;     /* level after level, each with what the one before it had: how much that is depends
                         * on which is the last */
    /* NULL: it visits everything, and can say "safe". Otherwise what the executions are that it visits
     * ("random"), of which it can say no more than that so many have shown no error. */
    const char *samples;

    /* What it can do beside that. */
    bool weak_memory;  /* it says what loads read, as a memory model allows; machines have to be able to do so
                        */
    bool grows_graphs; /* it can, and does if it is asked for: it makes executions one by one, and draws it */
    bool reads_the_last; /* counts on it that a read reads what was written last to its location: with store
                          * buffers (--memory=tso of models) it does not */
    bool closes_loops; /* ends executions at loop boundaries in states that it knows: search/loop_closing.c */
    bool in_one_piece; /* its search cannot be split: there are no work items of it (search/frontier.h) */
    bool one_worker;   /* its items are for one process: they share a memory, or are explored otherwise */
    bool shows_parts; /* its counters tell how it was parted: it is, in the same way, with one process, too */
    bool makes_plans; /* tells what its finished parts are worth: search/safe_prefix.h */
    bool takes_first_trace;          /* begins with the trace that it is given */
    const mz_option *const *options; /* that not every algorithm takes, ended by NULL; NULL: none */
    const char *chosen_by;           /* the option that asks for it if -a is not given; NULL: none does */
    /* NULL: what it visits are traces, or interleavings, which are sampled without it (estimate/). */
    mz_tree_size (*estimate)(mz_machine *machine, const mz_search_options *options, uint64_t seed);
    /* Explore everything, or the search's item. */
    void (*run)(mz_search *search);
} mz_algorithm;

/* The one list. */
#define MZ_ALGORITHMS(X)                                                                                     \
    X(mz_algorithm_full)                                                                                     \
    X(mz_algorithm_dpor)                                                                                     \
    X(mz_algorithm_source)                                                                                   \
    X(mz_algorithm_optimal)                                                                                  \
    X(mz_algorithm_eager)                                                                                    \
    X(mz_algorithm_eager_short)                                                                              \
    X(mz_algorithm_lazy)                                                                                     \
    X(mz_algorithm_dc)                                                                                       \
    X(mz_algorithm_rf)                                                                                       \
    X(mz_algorithm_bounded)                                                                                  \
    X(mz_algorithm_delays)                                                                                   \
    X(mz_algorithm_random)                                                                                   \
    X(mz_algorithm_bursts)                                                                                   \
    X(mz_algorithm_pct)                                                                                      \
    X(mz_algorithm_uniform)                                                                                  \
    X(mz_algorithm_coverage)                                                                                 \
    X(mz_algorithm_mix)

#define MZ_X(name) extern const mz_algorithm name;
MZ_ALGORITHMS(MZ_X)
#undef MZ_X

/* Beside the list: for machines with weak memory only (mz_machine.weak), and chosen by --memory. */
extern const mz_algorithm mz_algorithm_graph;

extern const mz_algorithm *const mz_algorithms[];
extern const size_t mz_algorithm_count;

/* NULL if there is none of that name. */
const mz_algorithm *mz_find_algorithm(const char *name);
/* This one: another that is called so may be somebody else's (estimate --seed). */
bool mz_algorithm_takes(const mz_algorithm *algorithm, const mz_option *option);

/* The algorithm that is used if nobody has asked for one. */
extern const mz_algorithm *const mz_default_algorithm;
/* The same for a machine: one that closes loops, if the program has loop boundaries. */
const mz_algorithm *mz_default_algorithm_for(const mz_machine *machine);
/* The one for plans: it makes them, and takes a first trace. */
extern const mz_algorithm *const mz_plan_algorithm;
/* The one for what can follow after given steps: its items are branches (search/items/work_item.h), and it
 * visits every trace once. */
extern const mz_algorithm *const mz_branch_algorithm;
/* The one of 'mazurka fuzz'. */
extern const mz_algorithm *const mz_sampling_algorithm;

/* Tells the machine, before its first reset, what the algorithm takes for the same: of the refinements that
 * are asked for, those that it follows. And whether memory is weak. */
void mz_algorithm_prepare(const mz_algorithm *algorithm, mz_machine *machine, mz_relation asked,
                          mz_memory memory);

/* The same for a search that is about to begin. */
void mz_algorithm_set_relation(const mz_algorithm *algorithm, mz_search *search);

/* Runs it to its end. What it leaves unsaid about the search is said then: that it was no more than a sample,
 * or that there was more that was not looked at. The second half alone, after it was run otherwise: close. */
void mz_algorithm_run(const mz_algorithm *algorithm, mz_search *search);
void mz_algorithm_close(const mz_algorithm *algorithm, mz_search *search);

#endif
