/* Are the results of calls that ran at the same time those of some order of the calls, one after the other?
 */
#ifndef MZ_CLIENT_LINEARIZE_H
#define MZ_CLIENT_LINEARIZE_H

#include "base/hash_set.h"
#include "client/sequential.h"

/* Which orders explain a history. */
typedef enum mz_criterion {
    MZ_LINEARIZABLE, /* a call that has returned before another one begins comes before it */
    MZ_SEQUENTIAL,   /* only the order of each thread is kept */
    MZ_QUIESCENT,    /* only what is separated by a time in which nothing ran is kept in order */
} mz_criterion;

typedef struct mz_explaining {
    const mz_sequential *sequential;
    mz_criterion criterion;
    uint32_t out_of_order;      /* each call may be overtaken by so many that began after it had returned */
    const char *const *excused; /* [operation]: this result needs no explanation; NULL: none */
    mz_hash_set *explained;     /* histories that were: each is looked at once; NULL: nobody remembers */
} mz_explaining;

/* An order of a history's calls, in time: when each began and ended. */
typedef struct mz_timing {
    uint32_t begins[MZ_CLIENT_CALLS], ends[MZ_CLIENT_CALLS]; /* moments, from 0; UINT32_MAX: it never ended */
    uint32_t moments;
    bool in_any_order;  /* some order of the calls returns the same, though not one that keeps real time */
    uint16_t *schedule; /* threads, event by event; NULL: nobody wants to know */
} mz_timing;

/* Is every execution with this order explained? If one is not, *timing is when its calls ran. */
bool mz_explain(const mz_explaining *how, const mz_history *history, mz_knows *knows, const void *order,
                mz_timing *timing);
/* The same where some calls have not returned and nobody can go on: each of these must be one that waits, in
 * the library alone, after all that have returned, in an order that explains those (a stuck history). */
bool mz_explain_waiting(const mz_explaining *how, const mz_history *history, mz_knows *knows,
                        const void *order);
/* How often, at most, calls of the operation return this in one order of all calls: as the threads have them.
 */
uint32_t mz_most_returned(const mz_explaining *how, const mz_history *history, uint32_t operation,
                          const char *result);

#endif
