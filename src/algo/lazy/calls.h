/* The calls of LazyPOR: a call (u1, u2) is to see to it that everything that begins with u1 is explored,
 * u1·u2 being an execution that is known. They are a stack; the last one is at work, those that it asks for
 * come on top of it and are done before it goes on. */
#ifndef MZ_ALGO_LAZY_CALLS_H
#define MZ_ALGO_LAZY_CALLS_H

#include "algo/lazy/variation.h"

typedef struct mz_step {
    uint32_t thread;
    size_t first_choice;
    uint32_t choice_count; /* that are given; more may be made */
} mz_step;

typedef struct mz_call {
    mz_step *steps; /* u1 */
    mz_choice *choices;
    size_t prefix, step_capacity, choice_count, choice_capacity;
    bool has_reference; /* u2 is known, and in `variations`; otherwise it is to be executed first */
    bool begun;
    size_t parent; /* index of the call that asked for it */
    mz_hash trace; /* identity of the trace of u1 */
    mz_hash whole; /* identity of the trace of u1·u2 */
    mz_variations variations;

    /* For each event of u1 that is not in the parent's: the identity of what happens before, and is, the
     * event, its *past*. */
    mz_hash *pasts;
    size_t past_count, past_capacity;
    bool is_one_past; /* beyond the parent's u1 there is just the last of them */
    /* Pasts: what begins with u1 and one of them has been explored. */
    mz_hash_set asleep;
    /* To tell the past of a variable before it is executed: what of u1 happens before its event whatever the
     * variation, as a clock; and the sum of the identities of a thread's first events in u1. */
    uint32_t *clocks; /* [variable][thread] */
    mz_hash *sums;    /* [first_sum[thread] + number of events] */
    uint32_t first_sum[MZ_MAX_THREADS + 1];
    uint32_t thread_count;
    size_t clock_capacity, sum_capacity;
    mz_hash_set asked_for; /* in terms of the variables; see lazy.c */
} mz_call;

typedef struct mz_calls {
    mz_call *calls;
    size_t count, capacity, used;
    mz_hash_set done; /* identities of calls */
    bool *chosen;     /* [position]: the events that are to be u1 of the next call */
    uint32_t *order;  /* scratch: positions */
    size_t chosen_capacity, order_capacity;
} mz_calls;

void mz_calls_release(mz_calls *calls);

static inline mz_call *mz_last_call(mz_calls *calls)
{
    return &calls->calls[calls->count - 1];
}

/* The first call: u1 is empty, u2 not known. */
void mz_calls_start(mz_calls *calls);

/* Choose the first events of the execution, and no others. */
void mz_calls_choose(mz_calls *calls, const mz_execution *execution, size_t prefix);
/* Ask for a call on behalf of the parent, whose u1 is among the chosen events, which are closed under
 * happens-before: they are u1, the others of the execution u2. The machine must be at its end. */
void mz_calls_ask(mz_calls *calls, mz_search *search, size_t parent);
/* Ask for calls with the events before `prefix` and what happens before the event at this position, and is,
 * for u1: with other values of its choices from the given one on. u2 is not known. */
void mz_calls_ask_for_choices(mz_calls *calls, mz_search *search, size_t parent, size_t prefix,
                              uint32_t position, uint32_t from);
/* u2 of the last call has been executed. */
void mz_calls_take_reference(mz_calls *calls, mz_search *search);

/* Does the call's current variation order the variable, which is certain, after what is asleep? False if that
 * is not known. */
bool mz_call_is_asleep(const mz_call *call, uint32_t variable);

/* How many of the first events of the execution are those of u1? */
size_t mz_call_shares(const mz_call *call, const mz_execution *execution);

#endif
