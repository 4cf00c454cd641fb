/* Executions that are still to be visited: a sequence of threads each, with the stages of its events.
 *
 * What lies at the beginning of an item is most often that of the execution at hand, and will still be when
 * it is taken. So an item has of its own only the steps that the execution at hand has not, or has no more:
 * when those are about to be lost, each item keeps what it needs of them (mz_rf_items_keep). */
#ifndef MZ_ALGO_RF_ITEMS_H
#define MZ_ALGO_RF_ITEMS_H

#include "algo/rf/mutations.h"
#include "machine/execution.h"
#include "search/items/work_item.h"

/* An operation that was not in the execution that the item was made from: its choices are free. */
typedef struct mz_new_step {
    uint32_t at;
    mz_expectation expected;
} mz_new_step;

/* A step whose choices are given. */
typedef struct mz_chosen_step {
    uint32_t at, choice_count;
} mz_chosen_step;

/* What is added by a mutation, and one more whose choices are tried. */
enum { MZ_MOST_NEW_STEPS = MZ_MOST_ADDITIONS + 1 };

typedef struct mz_rf_item {
    struct mz_rf_item *next, *allocated_before;
    mz_thread_number *threads; /* [step], from `own` on */
    mz_stage *stages;
    size_t length, thread_capacity, stage_capacity;
    size_t own;     /* the steps before this one are those of the execution at hand */
    size_t most;    /* no item that waits behind this one shares more than so many steps with it */
    size_t unmoved; /* so many of the first steps are those of the execution that it was made from */
    mz_new_step news[MZ_MOST_NEW_STEPS];
    uint32_t new_count;
    bool expects; /* something of one of these */
    mz_chosen_step *chosen;
    mz_choice *choices; /* of all steps, one after the other */
    size_t chosen_count, chosen_capacity, choice_count, choice_capacity;
    size_t next_chosen, next_choice; /* while it is followed: of what comes next */
    uint32_t stage;                  /* the last one */
    uint32_t pivot;                  /* that of the last stage does not stand before this step */
    mz_bend *bends;                  /* [thread] */
    size_t bend_capacity;
    uint32_t bent_stage;
} mz_rf_item;

/* The steps of the execution at hand. */
typedef struct mz_steps {
    mz_thread_number *threads;
    mz_stage *stages;
    mz_stage *highest; /* [step]: of the stages up to this one */
} mz_steps;

typedef struct mz_rf_items {
    mz_rf_item *waiting; /* the one to follow next comes first */
    mz_rf_item *older;   /* of those, the first that was not made from the current execution */
    mz_rf_item *unused, *last_allocated;
} mz_rf_items;

void mz_rf_items_release(mz_rf_items *items);
/* An item without steps; it is in no list. */
mz_rf_item *mz_rf_item_new(mz_rf_items *items);
/* It is not needed any more; it may be NULL. */
void mz_rf_item_recycle(mz_rf_items *items, mz_rf_item *item);
void mz_rf_item_let_wait(mz_rf_items *items, mz_rf_item *item);
void mz_rf_items_forget(mz_rf_items *items);
/* The current execution has ended: take the item to follow next, or NULL. Of those that were made from it,
 * the one that shares most with it comes first: less has to be executed again. */
mz_rf_item *mz_rf_items_take(mz_rf_items *items);
/* The steps of the execution at hand from this one on are about to be lost. */
void mz_rf_items_keep(mz_rf_items *items, mz_steps steps, size_t from);

/* Room for so many steps. */
void mz_rf_item_make_room(mz_rf_item *item, size_t length);
/* The first so many steps of the execution at hand are the item's, but their stages are `most` at most. */
void mz_rf_item_share(mz_rf_item *item, const mz_execution *execution, mz_steps steps, size_t count,
                      mz_stage most);
/* Those of the step there; steps that have any in turn. */
void mz_rf_item_add_choices(mz_rf_item *item, uint32_t at, const mz_choice *choices, uint32_t count);
/* The bends of an execution with so many threads, the last of them in this stage. */
void mz_rf_item_copy_bends(mz_rf_item *item, const mz_bend *bends, uint32_t threads, uint32_t bent_stage);
/* The last step, which has choices, is new with the next ones. False if there are none. */
bool mz_rf_item_turn_choices(mz_rf_item *item);
/* The rest of another item, which is being followed, from this step on. */
void mz_rf_item_add_rest(mz_rf_item *item, const mz_rf_item *followed, mz_steps steps, size_t from);
/* It is being followed, and goes on without this step. */
void mz_rf_item_leave_out(mz_rf_item *item, mz_steps steps, size_t at);

/* How many of the first events are those of the item, not to be looked at again? The item is followed from
 * there on. */
size_t mz_rf_item_count_shared(mz_rf_item *item, const mz_execution *execution, mz_steps steps);
/* The item's steps are those of the execution at hand from now on, for which there is room. */
void mz_rf_item_write(const mz_rf_item *item, mz_steps steps);
/* So many of the first steps are given no choices, and nothing is expected of them but for the last one. */
size_t mz_rf_item_end_of_script(const mz_rf_item *item);
/* The step is done next: how many choices are given, and which? */
uint32_t mz_rf_item_next_choices(mz_rf_item *item, size_t at, const mz_choice **choices);

/* As a work item (MZ_ITEM_OBSERVATION), for a program with so many threads. `is_followed`: its steps are
 * those of the execution at hand. */
void mz_rf_item_export(const mz_rf_item *item, mz_steps steps, bool is_followed, uint32_t threads,
                       mz_work_item *out);
/* And back; NULL if it is none. */
mz_rf_item *mz_rf_item_import(mz_rf_items *items, const mz_work_item *from, uint32_t threads);
/* Take out the one that was to be followed last; NULL if none waits. */
mz_rf_item *mz_rf_items_take_last(mz_rf_items *items);
/* Those that were made from the execution at hand are not wanted. */
void mz_rf_items_forget_new(mz_rf_items *items);

/* One more step, the event at this position. */
static inline void mz_rf_item_add_event(mz_rf_item *p, const mz_execution *x, uint32_t position,
                                        mz_stage stage)
{
    const mz_event *event = &x->events[position];
    if (event->choice_count > 0)
        mz_rf_item_add_choices(p, (uint32_t)p->length, x->choices + event->first_choice, event->choice_count);
    p->threads[p->length] = (mz_thread_number)event->thread;
    p->stages[p->length++] = stage;
}

static inline void mz_rf_item_add_new(mz_rf_item *p, uint32_t thread, mz_stage stage, mz_expectation expected)
{
    p->news[p->new_count++] = (mz_new_step){(uint32_t)p->length, expected};
    p->expects |= expected != MZ_WHATEVER;
    p->threads[p->length] = (mz_thread_number)thread;
    p->stages[p->length++] = stage;
}

/* The step, if it is new, or NULL. */
static inline const mz_new_step *mz_rf_item_new_step(const mz_rf_item *item, size_t at)
{
    for (uint32_t i = 0; i < item->new_count; i++)
        if (item->news[i].at == at)
            return &item->news[i];
    return NULL;
}

#endif
