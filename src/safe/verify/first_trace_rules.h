/* Which execution comes first. Any can (source sets may begin with any thread), but until much is verified, a
 * program that is run safely runs as the first trace does. The candidates are rules for who comes next; each
 * is followed once from the beginning to the end, and safe/plan/cost.h says what it would cost to keep a
 * program to it. */
#ifndef MZ_SAFE_VERIFY_FIRST_TRACE_RULES_H
#define MZ_SAFE_VERIFY_FIRST_TRACE_RULES_H

#include "machine/execution.h"
#include "search/safe_prefix.h"

/* Constant, name, in words. */
#define MZ_FIRST_TRACES(X)                                                                                   \
    X(FAIR, "fair", "a thread goes on until it gives something back; then who has done least")               \
    X(SEQUENTIAL, "sequential", "a thread goes on for as long as it can")                                    \
    X(ROUND_ROBIN, "round-robin", "one operation each, in turn")                                             \
    X(FEWEST_EDGES, "fewest-edges", "who adds the fewest constraints")                                       \
    X(FEWEST_WAITS, "fewest-waits", "if somebody has to wait, then who has waited before")                   \
    X(FREE_RUN, "free-run", "as the program does when nothing keeps it")

typedef enum mz_first_trace {
    MZ_FIRST_AUTO, /* the one that costs least */
#define MZ_X(constant, name, words) MZ_FIRST_##constant,
    MZ_FIRST_TRACES(MZ_X)
#undef MZ_X
        MZ_FIRST_TRACE_COUNT
} mz_first_trace;

const char *mz_first_trace_name(mz_first_trace which);

/* An operation that was seen when the program ran freely: the `count`-th of its thread. */
typedef struct mz_seen {
    uint32_t thread, count;
} mz_seen;

/* All that was seen, in its order, by the machine's numbers of threads. */
typedef struct mz_seen_order {
    mz_seen *operations;
    size_t count, capacity;
    bool counts_accesses; /* plain ones, too */
} mz_seen_order;

/* An execution on its way, by a rule. */
typedef struct mz_rule_walk {
    mz_machine *machine;
    const mz_execution *x;
    mz_threads waited;                /* these had to wait for another thread */
    const mz_seen_order *seen;        /* for MZ_FIRST_FREE_RUN only */
    size_t next_seen[MZ_MAX_THREADS]; /* of the thread: nothing before this is still to come */
} mz_rule_walk;

/* Of these threads the one that comes next by the rule, which is none but MZ_FIRST_AUTO. */
uint32_t mz_rule_next(mz_rule_walk *walk, mz_first_trace which, mz_threads ready);
/* Is this a good end of an execution? */
bool mz_has_ended_well(const mz_status *status);

/* Follows the rule from the reset to the end of an execution. False: the execution fails, gets stuck, is
 * pruned or longer than `most` events (0: any), or machine->begin_again is set. The choices before the first
 * event begin with the valuation, all others are made at their low end. `seen` is for MZ_FIRST_FREE_RUN only.
 */
bool mz_first_trace_run(mz_machine *machine, mz_execution *execution, mz_first_trace which,
                        const mz_seen_order *seen, const mz_choice *valuation, size_t valuation_length,
                        uint64_t most);

#endif
