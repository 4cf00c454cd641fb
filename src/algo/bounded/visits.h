/* What has been explored after which trace, at what price: the memory of a search with a budget.
 *
 * A path of the search has *spent* something, and going on with a thread costs nothing or 1: nothing for the
 * threads of a set (`free`), 1 for the others. What can follow depends on the trace so far (which determines
 * the state), on the thread and on what is spent then; the less is spent, the more can follow. So for each
 * trace the least price is kept at which each thread has been gone on with. Two numbers say it for all
 * threads: `spent` for those of `free`, spent + 1 for the others.
 *
 * Where going on can cost more than 1, the price is kept for each trace and thread: mz_visits_go_on(). */
#ifndef MZ_ALGO_BOUNDED_VISITS_H
#define MZ_ALGO_BOUNDED_VISITS_H

#include "base/bytes.h"
#include "base/map.h"
#include "machine/threads.h"

typedef struct mz_visit {
    mz_hash trace; /* the key */
    mz_threads free;
    uint32_t spent;
} mz_visit;

typedef mz_map mz_visits; /* of mz_visit */

/* A path arrives at the trace, having spent so much of the budget. Those of the threads that are ready and
 * that are to be gone on with: the budget suffices, and it was not done at this price before. */
mz_threads mz_visits_arrive(mz_visits *visits, mz_hash trace, mz_threads ready, mz_threads free,
                            uint32_t spent, uint32_t budget);
/* A path goes on with the thread after the trace, having spent so much with that step: is that less than ever
 * before? It is remembered. */
bool mz_visits_go_on(mz_visits *visits, mz_hash trace, uint32_t thread, uint32_t spent);
/* For a trace after which nothing follows: has it been seen? It has now. */
bool mz_visits_end(mz_visits *visits, mz_hash trace);
/* As bytes, and back into an empty one: false if they are none. */
void mz_visits_write(const mz_visits *visits, mz_bytes *out);
bool mz_visits_read(mz_visits *visits, mz_byte_reader *reader);
void mz_visits_clear(mz_visits *visits);
void mz_visits_release(mz_visits *visits);

#endif
