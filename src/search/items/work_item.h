/* A work item: a subtree of a search that is still to be explored. It says from where (the steps that lead to
 * a state, with their choices) and what (a small payload, which is the algorithm's own). A search that is
 * given an item explores exactly its subtree; whoever has the program can do that, now or later, in this
 * process or in another one. As bytes an item has a version and a check sum: it is read back as it was, or
 * refused. */
#ifndef MZ_SEARCH_ITEMS_WORK_ITEM_H
#define MZ_SEARCH_ITEMS_WORK_ITEM_H

#include "search/items/schedule.h"

/* What the steps and the payload mean. */
typedef enum mz_item_form {
    MZ_ITEM_ROOT,   /* the whole search, in whatever form the algorithm chooses. No payload */
    MZ_ITEM_BRANCH, /* the last step, from the state before it: with these choices and all greater ones. The
                     * payload: who sleeps in that state, and what is known of the nodes before it
                     * (search/branches.c) */
    MZ_ITEM_CHILD,  /* a trace of reverse search, and those that are visited from it (algo/optimal) */
    MZ_ITEM_WORD,   /* the words of a section that begin like this (algo/sections/words.c). No payload */
    MZ_ITEM_OBSERVATION, /* an observation, and those that are visited from it (algo/rf) */
    MZ_ITEM_GRAPH,       /* an execution graph, and those that come of it (algo/graph/items.h) */
    MZ_ITEM_RUNS,        /* executions at random that have these numbers (algo/sampling/walks.c) */
    MZ_ITEM_SCOUTING,    /* no part of the tree: executions at random beside it (search/scout.h). The payload:
                          * after how    many events, and how many such executions there were before */
    MZ_ITEM_FORMS
} mz_item_form;

typedef struct mz_work_item {
    mz_item_form form;
    /* There are no steps: everything, with these initial choices (those that are given) and all greater ones.
     */
    bool whole;
    mz_schedule prefix;
    mz_bytes payload;
} mz_work_item;

void mz_work_item_release(mz_work_item *item);
void mz_work_item_copy(mz_work_item *item, const mz_work_item *other);
void mz_work_item_write(const mz_work_item *item, mz_bytes *out);
/* False if the bytes are no item of this version. */
bool mz_work_item_read(mz_byte_reader *reader, mz_work_item *item);

/* For payloads. */
void mz_threads_write(mz_threads threads, mz_bytes *out);
mz_threads mz_threads_read(mz_byte_reader *reader);

/* The thread, from the state after these steps, where all of `sleep` has been or will be explored elsewhere.
 * The races of the first `first_new` events have been looked at. */
void mz_branch_item(mz_work_item *item, const mz_schedule *node, uint32_t thread, mz_threads sleep,
                    size_t first_new);
/* The payload of such an item. What follows in it: of nodes on the way, who sleeps there, or has been or will
 * be explored from there. There may be more of them by now. */
void mz_branch_write(mz_work_item *item, mz_threads sleep, size_t first_new);
void mz_branch_write_known(mz_work_item *item, size_t depth, mz_threads known);
/* False if it is none; in *known what follows. */
bool mz_branch_read(const mz_work_item *item, mz_threads *sleep, size_t *first_new, mz_byte_reader *known);
/* The next of them; false if there is none. */
bool mz_branch_read_known(const mz_work_item *item, mz_byte_reader *known, size_t *depth,
                          mz_threads *threads);

#endif
