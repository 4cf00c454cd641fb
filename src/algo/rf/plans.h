/* Executions that are still to be visited: a sequence of threads each, with the stages of its events.
 *
 * What lies at the beginning of a plan is most often that of the execution at hand, and will still be when it
 * is taken. So a plan has of its own only the steps that the execution at hand has not, or has no more: when
 * those are about to be lost, each plan keeps what it needs of them (mz_plans_keep). */
#ifndef MZ_ALGO_RF_PLANS_H
#define MZ_ALGO_RF_PLANS_H

#include "algo/rf/mutations.h"
#include "machine/execution.h"

/* An operation that was not in the execution that the plan was made from: its choices are free. */
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

typedef struct mz_plan {
    struct mz_plan *next, *allocated_before;
    uint8_t *threads; /* [step], from `own` on */
    mz_stage *stages;
    size_t length, thread_capacity, stage_capacity;
    size_t own;     /* the steps before this one are those of the execution at hand */
    size_t most;    /* … and no plan that waits behind this one shares more than so many with it */
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
} mz_plan;

/* The steps of the execution at hand. */
typedef struct mz_steps {
    uint8_t *threads;
    mz_stage *stages;
    mz_stage *highest; /* [step]: of the stages up to this one */
} mz_steps;

typedef struct mz_plans {
    mz_plan *waiting; /* the one to follow next comes first */
    mz_plan *older;   /* of those, the first that was not made from the current execution */
    mz_plan *unused, *last_allocated;
} mz_plans;

void mz_plans_release(mz_plans *plans);
/* A plan without steps; it is in no list. */
mz_plan *mz_plan_new(mz_plans *plans);
/* It is not needed any more; it may be NULL. */
void mz_plan_recycle(mz_plans *plans, mz_plan *plan);
void mz_plan_let_wait(mz_plans *plans, mz_plan *plan);
void mz_plans_forget(mz_plans *plans);
/* The current execution has ended: take the plan to follow next, or NULL. Of those that were made from it,
 * the one that shares most with it comes first: less has to be executed again. */
mz_plan *mz_plans_take(mz_plans *plans);
/* The steps of the execution at hand from this one on are about to be lost. */
void mz_plans_keep(mz_plans *plans, mz_steps steps, size_t from);

/* Room for so many steps. */
void mz_plan_make_room(mz_plan *plan, size_t length);
/* The first so many steps of the execution at hand are the plan's, but their stages are `most` at most. */
void mz_plan_share(mz_plan *plan, const mz_execution *execution, mz_steps steps, size_t count, mz_stage most);
/* Those of the step there; steps that have any in turn. */
void mz_plan_add_choices(mz_plan *plan, uint32_t at, const mz_choice *choices, uint32_t count);
/* The bends of an execution with so many threads, the last of them in this stage. */
void mz_plan_copy_bends(mz_plan *plan, const mz_bend *bends, uint32_t threads, uint32_t bent_stage);
/* The last step, which has choices, is new with the next ones. False if there are none. */
bool mz_plan_turn_choices(mz_plan *plan);
/* The rest of another plan, which is being followed, from this step on. */
void mz_plan_add_rest(mz_plan *plan, const mz_plan *followed, mz_steps steps, size_t from);
/* It is being followed, and goes on without this step. */
void mz_plan_leave_out(mz_plan *plan, mz_steps steps, size_t at);

/* How many of the first events are those of the plan, not to be looked at again? The plan is followed from
 * there on. */
size_t mz_plan_count_shared(mz_plan *plan, const mz_execution *execution, mz_steps steps);
/* The plan's steps are those of the execution at hand from now on, for which there is room. */
void mz_plan_write(const mz_plan *plan, mz_steps steps);
/* So many of the first steps are given no choices, and nothing is expected of them but for the last one. */
size_t mz_plan_end_of_script(const mz_plan *plan);
/* The step is done next: how many choices are given, and which? */
uint32_t mz_plan_next_choices(mz_plan *plan, size_t at, const mz_choice **choices);

/* One more step, the event at this position. */
static inline void mz_plan_add_event(mz_plan *p, const mz_execution *x, uint32_t position, mz_stage stage)
{
    const mz_event *event = &x->events[position];
    if (event->choice_count > 0)
        mz_plan_add_choices(p, (uint32_t)p->length, x->choices + event->first_choice, event->choice_count);
    p->threads[p->length] = (uint8_t)event->thread;
    p->stages[p->length++] = stage;
}

static inline void mz_plan_add_new(mz_plan *p, uint32_t thread, mz_stage stage, mz_expectation expected)
{
    p->news[p->new_count++] = (mz_new_step){(uint32_t)p->length, expected};
    p->expects |= expected != MZ_WHATEVER;
    p->threads[p->length] = (uint8_t)thread;
    p->stages[p->length++] = stage;
}

/* The step, if it is new, or NULL. */
static inline const mz_new_step *mz_plan_new_step(const mz_plan *plan, size_t at)
{
    for (uint32_t i = 0; i < plan->new_count; i++)
        if (plan->news[i].at == at)
            return &plan->news[i];
    return NULL;
}

#endif
