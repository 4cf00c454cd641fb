/* What the files of the pool share. */
#ifndef MZ_POOL_POOL_INTERNAL_H
#define MZ_POOL_POOL_INTERNAL_H

#include "pool/channel.h"
#include "pool/pool.h"

/* In memory that all workers see. */
typedef struct mz__pool_shared {
    mz_worker_line workers[MZ_POOL_MOST_WORKERS];
} mz__pool_shared;

typedef enum mz__pool_role {
    MZ__ALONE,       /* nobody else was started */
    MZ__COORDINATOR, /* others were, and it is over */
    MZ__WORKER,
    MZ__SUCCESSOR, /* a worker, to begin anew */
} mz__pool_role;

struct mz_pool {
    mz_pool_options options;
    const mz_algorithm *algorithm;
    mz_search *search; /* in which the result is told */
    mz_limits given;   /* what was asked for */
    mz_limits limits;  /* of the whole, as far as this process looks after them */
    mz_ledger ledger;
    mz_arena names;
    mz__pool_role role;
    double begun;
    mz_frontier local; /* of the search at hand */
    mz_entry *lease;   /* of the search at hand, if it is explored alone or goes on with it */
    void (*after_split)(void *pool, mz_search *search); /* items were given away: they are in `local` */
    uint64_t epoch;                                     /* of `local`, when the item was begun */
    mz__pool_shared *shared;
    uint32_t worker;      /* which one this is */
    mz_worker_line *line; /* of this worker */
    int channel;          /* to the coordinator */
    bool pauses;          /* searches dissolve, so that all can be saved */
    double next_save;
    bool refuses; /* what was saved does not fit: the search that was given says why */
    bool stops;   /* somebody or something has ended all of it */
    mz_text why;  /* for this reason */
};

/* How many workers there may be now. */
static inline uint32_t mz__pool_jobs(const mz_pool *pool)
{
    const mz_pool_options *o = &pool->options;
    return o->allowed && *o->allowed < o->jobs ? *o->allowed : o->jobs;
}
/* One item, in this process. */
void mz__pool_explore(mz_pool *pool, mz_search *search, const mz_work_item *item);
void mz__pool_begin_part(mz_pool *pool, mz_search *part);
/* To who watches. */
void mz__pool_show(const mz_pool *pool, uint64_t traces, uint64_t events, uint32_t depth);

/* Nothing is leased. */
void mz__pool_save(mz_pool *pool, bool is_over);
bool mz__pool_is_save_due(const mz_pool *pool);
/* False if what was saved cannot be read. */
bool mz__pool_restore(mz_pool *pool);
/* In a new worker: it is that one from now on; and goes on with a search that was begun alone. */
void mz__worker_begin(mz_pool *pool, uint32_t number, int channel);
void mz__worker_take_over(const mz_pool *pool, mz_search *search);
void mz__worker_send_split(mz_pool *pool);
/* Has it turned out in a part that the search cannot be parted? */
bool mz__has_new_boundaries(const mz_pool *pool);
/* Explores what home sends, to the end of the process. */
void mz__worker_begin_away(mz_pool *pool);
/* In a worker: the item at hand is done; and then others, until there are no more. It returns only if this
 * one is to succeed the coordinator. */
void mz__worker_report(mz_pool *pool, mz_search *search);
void mz__worker_serve(mz_pool *pool);

/* Fork, and coordinate until all is done. Returns in several processes: see pool->role. */
void mz__pool_fork(mz_pool *pool, mz_search *at_hand);

#endif
