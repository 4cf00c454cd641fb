/* How many traces (or interleavings) a program has, estimated without visiting them all. */
#ifndef MZ_ESTIMATE_SAMPLING_H
#define MZ_ESTIMATE_SAMPLING_H

#include <signal.h>

#include "estimate/future.h"
#include "estimate/strata.h"
#include "machine/machine.h"

typedef struct mz_estimate_options {
    bool interleavings;                       /* these instead of traces */
    double deadline;                          /* of mz_seconds_now(), 0 = none */
    uint64_t steps;                           /* most of them altogether, 0 = no limit */
    uint64_t seed;                            /* of what is drawn */
    uint64_t depth;                           /* most events in one execution, 0 = no limit */
    const volatile sig_atomic_t *interrupted; /* may be NULL */
} mz_estimate_options;

typedef struct mz_estimate {
    bool known;    /* false: it was given up, or there was no time for anything */
    bool counted;  /* nothing was left out: as good as exact, if no thread can do what it was not seen to */
    double traces; /* complete executions */
    double executions; /* the same with those that are pruned */
    bool error;        /* a failure or a deadlock was seen */
    bool begin_again;  /* stopped because the machine has learned something: see mz_machine */
    size_t rounds;
} mz_estimate;

mz_estimate mz_estimate_size(mz_machine *machine, const mz_estimate_options *options);

/* The same for others, who go on with what was learned on the way: what threads do, and how large subtrees
 * are. Both are initialised. */
mz_estimate mz_estimate_learn(mz_machine *machine, const mz_estimate_options *options, mz_future *future,
                              mz_strata *strata);

/* For a search (mz_search_options): of executions that are complete or pruned; 0 if it is not known. */
double mz_estimate_executions(mz_machine *machine, bool interleavings, double deadline, uint64_t depth);

#endif
