/* What threads have been seen to do, and from it: what they may still do. A guess, good enough for sizes and
 * not for verdicts: what was never seen is taken to be impossible. */
#ifndef MZ_ESTIMATE_FUTURE_H
#define MZ_ESTIMATE_FUTURE_H

#include "machine/machine.h"

typedef struct mz_future {
    mz_machine *machine;
    uint32_t *last;       /* [location][thread][write]: index of the thread's last such access, 0 = none */
    mz_threads *users[2]; /* [location]: who accesses it; who writes it */
    size_t location_count, last_capacity, user_capacity[2];
    mz_threads threads; /* all that were ever seen */
    uint64_t surprises; /* how often something was new */
} mz_future;

void mz_future_init(mz_future *future, mz_machine *machine);
void mz_future_release(mz_future *future);

/* The thread's index-th operation (from 1) is this one. */
void mz_future_learn(mz_future *future, uint32_t thread, uint32_t index, const mz_operation *operation);

/* The awake threads of a persistent set of the machine's current state, of the one with the fewest; none if
 * all of some persistent set sleeps: then whatever follows has been counted elsewhere. lengths[t] is how many
 * operations thread t has performed. */
mz_threads mz_future_persistent(mz_future *future, mz_threads sleep, const uint32_t *lengths);

#endif
