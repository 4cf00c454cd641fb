/* What the coordinator knows about workers, here and elsewhere. */
#ifndef MZ_POOL_COORDINATOR_H
#define MZ_POOL_COORDINATOR_H

#include "pool/pool_internal.h"

typedef enum mz__worker_state {
    MZ__NO_WORKER,
    MZ__HERE,      /* a process of ours */
    MZ__BEGINNING, /* elsewhere: it was sent the job, and what comes before it says so is of another one */
    MZ__AWAY,      /* elsewhere */
} mz__worker_state;

typedef struct mz__worker {
    mz__worker_state state;
    pid_t process; /* of one that is here */
    int channel;
    mz_entry *lease; /* NULL: it waits for one */
    bool was_stuck;  /* for that we have ended it */
    bool was_ended;  /* we have, for whatever reason */
    bool succeeds;   /* it knows what makes void what was explored, and waits */
} mz__worker;

typedef struct mz__coordinator {
    mz_pool *pool;
    mz__worker workers[MZ_POOL_MOST_WORKERS];
    uint32_t count; /* slots in use */
    mz_bytes bytes; /* of the last message */
    double next_look, next_show;
    double stopped_at; /* when all were asked to end; 0: they were not */
    uint64_t job;      /* the number of what agents were sent */
    /* A worker is gone, and that is the result unless something comes before it. */
    bool has_gone;
    mz_place_in_tree gone_at;
    uint32_t gone;
    int gone_status;
    bool gone_was_stuck;
} mz__coordinator;

static inline bool mz__is_away(const mz__worker *w)
{
    return w->state == MZ__BEGINNING || w->state == MZ__AWAY;
}

/* Sends the job to all agents. */
void mz__ranks_begin(mz__coordinator *c);
/* Somebody is still loading the program. */
bool mz__ranks_are_beginning(const mz__coordinator *c);
/* A message of a worker elsewhere that is none of any worker. False if it is another one. */
bool mz__ranks_hear(mz__coordinator *c, mz__worker *w, mz_message_kind kind);
/* It does not answer any more: what it had waits again. */
void mz__rank_lost(mz__coordinator *c, mz__worker *w);
/* Those that have not answered for so long since all were asked to end. */
void mz__ranks_give_up(mz__coordinator *c, double now);

#endif
