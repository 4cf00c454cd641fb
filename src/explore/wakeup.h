/* Wake-up trees: at each node of the path, the sequences that still have to be explored from it, and the
 * operations that sleep there. (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014 and JACM 2017.) */
#ifndef MZ_EXPLORE_WAKEUP_H
#define MZ_EXPLORE_WAKEUP_H

#include "explore/races.h"
#include "explore/search.h"

/* An operation of a thread with the choices that follow it: to be explored, being explored, or explored. */
typedef struct mz_planned {
    uint32_t thread;
    uint32_t access_count, choice_count, capacity; /* capacity: of accesses */
    mz_access *accesses;                           /* its footprint */
    mz_choice *choices;          /* prescribed ones; those not prescribed are at their low end */
    struct mz_planned *children; /* what is to be explored after it, in this order */
    struct mz_planned *next;
    struct mz_planned *allocated_before;
} mz_planned;

typedef struct mz_plan {
    mz_planned *tree;          /* to be explored from the node; the first one is being explored */
    mz_planned *done;          /* explored from the node; owned */
    size_t first_asleep;       /* in mz_plans.asleep; up to the next node's, or asleep_count at the top */
    mz_threads plainly_asleep; /* threads that sleep and made no choice */
    /* notdep(e) for the event e after the node, in the execution that ended last. */
    uint64_t leaf;                         /* in which it was determined */
    size_t first_position, position_count; /* in mz_plans.positions */
    mz_threads members, initials,
        plain_initials; /* threads in it; with initials; with ones that made no choice */
} mz_plan;

typedef struct mz_plans {
    mz_plan *plans; /* one per node of the path */
    size_t plan_capacity;
    const mz_planned **asleep;
    size_t asleep_count, asleep_capacity;
    uint64_t leaf; /* executions ended so far */
    uint32_t *positions;
    size_t position_count, position_capacity;
    mz_planned *unused;         /* to use again */
    mz_planned *last_allocated; /* all of them, for the end */
    struct mz_word_item *word;  /* scratch */
    size_t word_capacity;
} mz_plans;

/* The node at `depth` has just been entered with nothing to explore: explore this thread. */
void mz_plans_add_thread(mz_plans *plans, size_t depth, uint32_t thread);
/* The first thread of the node's tree was executed: its node gets the tree below and what still sleeps.
 * Returns the threads that sleep. */
mz_threads mz_plans_descend(mz_plans *plans, mz_search *search, size_t depth, const mz_operation *executed);
/* The first thread of the node's tree has been explored: it sleeps from now on. */
void mz_plans_ascend(mz_plans *plans, size_t depth);
/* An execution has ended; insertions follow. */
void mz_plans_leaf(mz_plans *plans);
/* Let the node before e explore v = notdep(e)·x, unless something that sleeps there, or is to be explored,
 * covers it. The choices after x are prescribed up to choice_count. */
void mz_plans_insert(mz_plans *plans, mz_search *search, const mz_reversal *v, const mz_choice *choices,
                     uint32_t choice_count);
void mz_plans_start(mz_plans *plans);
void mz_plans_release(mz_plans *plans);

#endif
