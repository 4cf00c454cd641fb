/* When to stop before the end, and what a person waiting sees meanwhile. */
#ifndef MZ_SEARCH_LIMITS_H
#define MZ_SEARCH_LIMITS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

typedef struct mz_progress {
    uint64_t traces, events;
    double seconds, traces_per_second;
    double share_done; /* estimated, 0 … 1 */
    uint32_t depth;
} mz_progress;

/* Values of what `interrupted` points to. */
enum {
    MZ_INTERRUPTED = 1,    /* somebody may go on with the search */
    MZ_ENDED_FOR_GOOD = 2, /* nobody will */
};

typedef struct mz_limits {
    double seconds_before;           /* spent before the search began */
    double seconds;                  /* 0 = none, as for all of these */
    uint64_t traces, events, memory; /* memory: resident bytes */
    uint64_t depth;                  /* events in one execution */
    uint64_t longest;                /* events in one execution after which it is the last */
    uint64_t stuck;                  /* MZ_STEP_STUCK */
    /* Of algorithms that sample: no more executions than this, which may become less meanwhile. NULL: as many
     * as were asked for. */
    _Atomic uint64_t *executions;
    const volatile sig_atomic_t *interrupted;                     /* by Ctrl-C, …; may be NULL */
    void (*progress)(void *context, const mz_progress *progress); /* may be NULL */
    void *progress_context;
} mz_limits;

#endif
