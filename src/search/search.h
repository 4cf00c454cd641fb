/* One search: a program, an algorithm at work on it, and what has been found so far. The algorithms see
 * the machine, the current execution and the depth-first stack through this. */
#ifndef MZ_SEARCH_SEARCH_H
#define MZ_SEARCH_SEARCH_H

#include "base/hash_set.h"
#include "machine/execution.h"
#include "machine/machine.h"
#include "search/items/work_item.h"
#include "search/limits.h"
#include "search/share.h"
#include "search/statistics.h"
#include "search/unasked.h"
#include "search/verdict.h"
#include "search/witness/witness.h"

/* What the traces of a search are, for estimating how many there are by sampling (estimate/sampling.h). */
typedef enum mz_sampling { MZ_SAMPLE_NOTHING, MZ_SAMPLE_TRACES, MZ_SAMPLE_INTERLEAVINGS } mz_sampling;

typedef struct mz_search_options {
    uint32_t checks;      /* 1 << mz_failure_kind: what counts as an error */
    mz_relation relation; /* the refinements that may be used; the algorithm follows some of them */
    mz_memory memory;     /* of an algorithm that explores weak memory: which model; MZ_MEMORY_AUTO is RC11 */
    bool all_errors;      /* go on after the first */
    uint32_t sketched;    /* so many executions are written down, for a picture of the search */
    bool stateful;
    bool sleep_sets;        /* dpor --sleep */
    bool object_dependency; /* any two operations on one object depend */
    bool visited_calls;     /* lazy --lazy=visited */
    bool smt;               /* lazy --solver=smt */
    mz_sampling sampling;
    /* How many executions there are, up to equivalence, as far as samples tell until the deadline; 0: it is
     * not known. Uses the machine. NULL: nobody to ask. */
    double (*sample)(mz_machine *machine, bool interleavings, double deadline, uint64_t depth);
    bool all_sections; /* eager --sections=all */
    /* Wanted along with the search, which must be `source` and go on after errors: safe_prefix.h; or NULL. */
    struct mz_safe_prefix *safe_prefix;
    bool narrows; /* of wide choices, only the values that come first (machine/choices.c) */
    /* Not all values of the choices before the first event, but one valuation of them, beginning with these:
     * each is a tree of its own. */
    bool one_valuation;
    const mz_choice *valuation;
    size_t valuation_length;
    uint64_t
        boundary_states; /* --boundary-states: give up when there are more at loop boundaries; 0: no limit */
    uint64_t depth;      /* --depth: executions are followed for so many events; 0: to their end */
    bool bounds_preemptions, bounds_delays;
    uint32_t preemptions; /* bounded --preemptions=K */
    uint32_t delays;      /* delays --delays=K */
    /* Of algorithms that sample (algo/sampling/walks.h): how many executions (0: some), what is drawn, and
     * the depth of bugs that are looked for (0: not given). */
    uint64_t runs, seed, bug_depth;
    mz_limits limits;
    /* For tests: no execution is tried again, which would leave single steps where stretches were. */
    bool repeats_nothing;
    bool scouts; /* a search that takes longer tries executions at random, too: scout.h */
} mz_search_options;

typedef struct mz_open_problem {
    size_t problem; /* which */
    size_t depth;   /* the execution has it while it has this many events */
} mz_open_problem;

typedef struct mz_search mz_search;

/* How an execution ended. */
typedef enum mz_leaf {
    MZ_LEAF_COMPLETE,
    MZ_LEAF_DEADLOCK,
    MZ_LEAF_FAILED,  /* some thread failed */
    MZ_LEAF_PRUNED,  /* some thread's assumption did not hold */
    MZ_LEAF_BLOCKED, /* redundant: every enabled thread is asleep, or has a round in vain to close */
    MZ_LEAF_VISITED, /* the state has been seen before */
    MZ_LEAF_CUT,     /* as long as --depth allows */
    MZ_LEAF_CLOSED,  /* at a loop boundary, in a state that was met at one before: as good as complete */
} mz_leaf;

/* A state on the path of the depth-first search: after `depth` events. */
typedef struct mz_node {
    mz_threads enabled;   /* on entry */
    mz_threads sleep;     /* on entry: whatever starts with these has been, or will be, explored elsewhere */
    mz_threads backtrack; /* to be explored from here; grows while the subtree is searched */
    mz_threads done;      /* explored from here, with every choice */
    uint32_t waiting;     /* branches to be explored from here that are not in backtrack (optimal) */
    bool alone; /* one thread only was and will be explored from here, in one way: there is nothing to note */
    /* For the estimate of what is left: how many executions there had been when the node was entered, and
     * when its current branch was begun; how many there were in the branch before that. */
    uint64_t entered, began, previous;
} mz_node;

enum { MZ_LEVELS_TIMED = 16 }; /* later ones are not */

/* What a search is asked to do when the execution at hand has ended: search/frontier.h. */
enum { MZ_PAUSE_NOT, MZ_PAUSE_SPLIT, MZ_PAUSE_DISSOLVE };

struct mz_search {
    mz_machine *machine;
    mz_execution *execution;
    mz_search_options options;
    mz_statistics statistics;
    uint64_t ended; /* executions, also of what was explored before the search began again */

    mz_node *nodes; /* [0 … execution->length] */
    char *snapshots;
    size_t node_capacity, snapshot_capacity;
    size_t machine_depth;  /* the node whose state the machine is in, or SIZE_MAX */
    size_t machine_prefix; /* its first steps since the reset are the execution's first events, up to here */
    size_t first_new;      /* events from here on belong to no earlier leaf */
    mz_choices choices;
    mz_choices repeated_choices; /* of events that are performed again */
    mz_access *accesses;         /* scratch */
    size_t access_capacity;
    mz_hash_set boundaries; /* states at loop boundaries */
    mz_hash_set visited;    /* states (--stateful) or traces (algorithms that repeat them) */

    mz_problem *problems;
    size_t problem_count, problem_capacity;
    mz_unasked unasked;
    mz_open_problem *open; /* those in the current execution, in the order of their depth */
    size_t open_count, open_capacity;

    /* Parts of the tree: search/frontier.h. */
    struct mz_frontier *frontier; /* where what waits goes; NULL: the search is made in one go */
    const mz_work_item *item;     /* what is to be explored; NULL: everything */
    volatile sig_atomic_t pause;  /* MZ_PAUSE_…: may be set at any time */
    size_t floor;                 /* the search does not return to nodes before this one */
    size_t own_from;              /* nodes before this one are the frontier's: races there are messages */
    bool at_leaf;                 /* the execution at hand has ended, and has been looked at */
    bool gave_valuations;         /* other choices before the first operation are in items */
    bool has_begun;     /* something was done with the choices that are made before the first operation */
    bool has_dissolved; /* what waits is in the frontier */
    bool was_put_back;  /* the item is in the frontier again, as it was */
    bool lost;          /* stopped in a way after which it is not known what waits */
    uint32_t undone;    /* the thread whose step was about to be made when it stopped, or MZ_NONE */
    /* It splits whenever there have been so many more events: a function of the item alone, whatever the
     * clock says and whoever else searches. 0: never. Then this is called; it may fork, and it may stop the
     * search. */
    uint64_t split_every, next_split;
    void (*after_split)(void *context, struct mz_search *search);
    void *split_context;
    /* What the steps of the prefix have added to these counters: others have counted them. */
    uint64_t passed_events, passed_checks;

    /* Of a search in levels: how long each one took that was finished. */
    double level_seconds[MZ_LEVELS_TIMED];
    uint32_t levels_done;

    mz_share share;
    bool walks_tree; /* the nodes are those of a depth-first tree, of which the share can be told */
    double total;    /* executions, as sampled: complete or pruned; 0: not known */
    double next_sampling;
    double sampling_due;    /* seconds that it may take; 0: not due */
    uint64_t next_scouting; /* after so many events; 0: not asked for */
    bool scouting_due;
    uint64_t memory_before; /* of the process: a real program has been tried, and may have taken all */
    double started, next_report, next_memory_look;
    uint64_t next_look, look_interval; /* at the clock and the limits, in events */
    double last_look;
    uint64_t stuck;   /* how often a thread was left */
    bool gave_up;     /* the program cannot be followed where the execution at hand has led */
    bool stop;        /* a limit, an interrupt, or the first error */
    bool begin_again; /* stopped because the machine has learned something: see mz_machine */
    bool incomplete;
    bool is_late;       /* the time limit has stopped it */
    bool bound_is_done; /* incomplete because a bound is all that was asked for, and that is explored */
    bool is_sample;     /* incomplete because a sample is all that was asked for */
    bool is_vacuous;    /* every execution was pruned before its threads had ended */
    bool pruned_at_end; /* some execution was pruned only after all other threads had ended */
    bool is_finer;      /* a finer equivalence than the algorithm's own had to be explored: traces */
    mz_text reason;
    mz_text sketch; /* the first executions, as many as options.sketched: leaf.c */
    uint32_t sketched;
    mz_text found_by;    /* what has found the first error, of several ways to look; empty: nothing to tell */
    bool internal_error; /* a counterexample that does not replay: our bug */

    /* For tests: called at every leaf, before races are looked at. */
    void (*observe)(void *context, struct mz_search *search, mz_leaf leaf);
    void *observe_context;
    bool observe_at_once; /* also executions of a search that may turn out to have to begin again */
    void *algorithm_data; /* the running algorithm's own */
    /* Of algorithms with `return_to`, where to go without asking `next`, unless the last event has choices or
     * the thread cannot go on: on the way to one depth these threads, from another depth on the first one
     * that is ready. When an execution begins there is neither. */
    const mz_thread_number *script;
    size_t script_end, default_from;
};

/* Algorithms that are a variation of depth-first search are these hooks. The node is the top one,
 * at depth execution->length. */
typedef struct mz_depth_first {
    bool track_order; /* clocks and races are needed */
    bool repeats;     /* a trace may be visited more than once: tell which executions are new */
    mz_hash (*identity)(mz_search *search); /* of the trace at hand; NULL: by its clocks */
    bool object_dependency;                 /* reads of a location depend on each other, too */
    bool remembers;                         /* `visited` is asked without --stateful, too */
    bool stretches; /* `enter` does nothing else where one thread alone is enabled than to choose it */
    /* The threads that sleep after the thread's operation, executed from the node: some of those that sleep
     * there or are done. (It may not be asked if there are none, unless the algorithm has its own `next`.)
     * NULL: none ever does. */
    mz_threads (*sleep)(mz_search *search, mz_node *node, uint32_t thread, const mz_operation *executed);
    /* With --stateful or `remembers`, in a state that was just reached: has it been visited, so that it need
     * not be explored again? NULL: by its fingerprint. */
    bool (*visited)(mz_search *search);
    /* A new node with at least one enabled thread that is not asleep: set node->backtrack, if there is no
     * `next` that looks elsewhere. */
    void (*enter)(mz_search *search, mz_node *node);
    /* An execution has ended, its events from first_new on were in no earlier one. May be NULL. */
    void (*leaf)(mz_search *search);
    /* Which thread to explore next from the node, where some are enabled; false if none is left. It may be a
     * node that has ended an execution all the same: search->at_leaf. The choices are the first ones, unless
     * others are prescribed in search->choices; with `return_to` they are to be prescribed in any case. NULL:
     * the lowest one of backtrack that neither sleeps nor is done. */
    bool (*next)(mz_search *search, mz_node *node, uint32_t *thread);
    /* With `next`, which has found nothing to explore: the depth to go back to at once, less than that of the
     * node. `enter` is told of the first node after a reset only then, and nothing is asked about those that
     * are left. In the node itself `next` is asked again. NULL: to the node before. */
    size_t (*return_to)(mz_search *search);
    /* The last event has been explored from the node before it: are its other choices to be tried, too? NULL:
     * always. */
    bool (*try_choices)(mz_search *search);

    /* For the frontier. Where these are not given, what waits are branches: the backtrack sets of the nodes;
     * if there is a `next`, nobody knows what waits, and the search is not split. */
    bool branches;     /* there is a `next`, and what waits are branches all the same */
    bool unsplittable; /* the search cannot be split: it is not paused, and there are no items of it */
    bool grows;        /* the backtrack sets of earlier nodes grow: an item's search asks their owner */
    mz_item_form form; /* of the items; 0: branches */
    bool counts;       /* what waits are numbers: `hand_out` knows them before anything has begun, too */
    /* A step of an item's prefix has been performed: the last event. The node behind it is not entered. */
    void (*pass)(mz_search *search);
    /* The prefix has led here, and the node was entered: what does the payload say? False if it is none. */
    bool (*begin)(mz_search *search, const mz_work_item *item);
    /* Put what waits into the frontier: all of it, or the largest subtree that is not the one at hand. */
    void (*hand_out)(mz_search *search, bool all);
    /* Of the threads that wait at the node, which would be explored first? NULL: the lowest. */
    uint32_t (*first_of)(const mz_search *search, size_t depth, mz_threads left);
} mz_depth_first;

void mz_search_init(mz_search *search, mz_machine *machine, const mz_search_options *options);
void mz_search_release(mz_search *search);
/* Begin anew; what has been found stays, and so does the number of events that have been performed. */
void mz_search_start_over(mz_search *search);
/* The same, and forget what has been found. */
void mz_search_restart(mz_search *search);
/* After the algorithm has run: was there more that was not looked at? */
void mz_search_close(mz_search *search);
mz_verdict mz_search_verdict(const mz_search *search);
/* It has come to its end, and every execution was pruned somewhere. */
bool mz_search_pruned_all(const mz_search *search);

/* Everything, or the search's item. */
void mz_explore_depth_first(mz_search *search, const mz_depth_first *algorithm);
/* Can the search be split? States at loop boundaries are remembered, which others would have to know of. */
static inline bool mz_can_split(const mz_search *search, const mz_depth_first *algorithm)
{
    return !algorithm->unsplittable && !search->machine->has_boundaries &&
           (algorithm->hand_out || algorithm->branches || !algorithm->next);
}
/* For the driver. The search has stopped: what waits goes to its frontier. */
void mz_search_dissolve(mz_search *search, const mz_depth_first *algorithm);
/* The execution has ended, and the search is asked to pause. */
void mz_search_pause(mz_search *search, const mz_depth_first *algorithm);

/* True if the time is over: then the search is stopped. */
bool mz_search_stop_if_late(mz_search *search);
/* Limits, Ctrl-C, progress. */
void mz_search_look_around(mz_search *search);
/* Count events and end the search if a limit is reached. */
static inline void mz_search_count_events(mz_search *search, uint32_t count)
{
    search->statistics.events += count;
    if (search->statistics.events >= search->next_look)
        mz_search_look_around(search);
}
/* May the snapshots grow to this size? Ends the search if that would pass the memory limit. */
bool mz_search_has_room(mz_search *search, size_t snapshot_bytes);
void mz_search_stop(mz_search *search, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for an execution that may have no end: who has made most of it, and where that thread is. */
void mz_search_stop_as_too_long(mz_search *search, uint64_t limit);
/* A failure has just happened at the end of the current execution: keep it, with its counterexample. */
void mz_search_found(mz_search *search, const mz_failure *failure);
/* The same of a whole execution; the schedule, of as many events, is equivalent and shows it. */
void mz_search_found_in(mz_search *search, const mz_failure *failure, const uint16_t *schedule);
/* The same for all of the machine's last step or reset, and for threads that wait for ever at the end of it.
 */
void mz_search_report_failures(mz_search *search);
void mz_search_report_deadlock(mz_search *search);
/* The same for those that wait for each other while other threads were left where they are. */
void mz_search_report_partial_deadlock(mz_search *search);

/* Find out how many traces there are, for mz_search_share_done(). Uses the machine: for the end of a search.
 */
void mz_search_sample(mz_search *search, double seconds);
/* The same in the middle of it, the machine being put back; at a node, that is with nothing half done. */
void mz_search_sample_meanwhile(mz_search *search);

void mz_search_stop_with_traces(mz_search *search);

/* There is more to explore, but have enough traces been explored? Ends the search if so. */
static inline bool mz_search_has_enough(mz_search *search)
{
    uint64_t limit = search->options.limits.traces;
    bool enough = limit > 0 && search->statistics.traces >= limit;
    if (enough)
        mz_search_stop_with_traces(search);
    return enough;
}

/* Put the machine back into the state of a node on the path. */
void mz_search_go_to(mz_search *search, size_t depth);

static inline void mz_search_return_to(mz_search *search, size_t depth)
{
    if (search->machine_depth != depth)
        mz_search_go_to(search, depth);
}

/* Run the current execution again from the reset and compare: a program that behaves differently is none that
 * can be checked. */
void mz_search_repeat(mz_search *search);

#endif
