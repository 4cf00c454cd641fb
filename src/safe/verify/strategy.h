/* Strategies: what to do next, whatever the inputs turn out to be.
 *
 * A program that reads inputs on its way has no first trace, but a tree of them: up to the event after which
 * an input is read the execution is the same whatever its value will be, since nobody knows it yet; then it
 * branches. The tree has a leaf, a complete and safe execution, for every value of each input that is read in
 * it. Such a tree is a strategy of the scheduler against the inputs, and safe execution needs one before the
 * program may start (wire/symbolic_format.h).
 *
 * A rule for who comes next (first_trace_rules.h) is a strategy, if it ends well with all inputs: it looks at
 * nothing but what has happened. If none does, one is searched for. Let a state be lost if every thread that
 * could go on leads, with some value of the inputs that are read in its step, to a state that is lost, or if
 * an execution ends there that is not safe. The search tries one thread after the other, each with all
 * values. A thread that was tried and has lost sleeps: let s·p be lost and q independent of p, and let q read
 * no input. Then s·q·p is lost, too. For if it were not, then from s·p, with whatever inputs p has read, one
 * could do q, and be in a state of s·q·p, which is not lost. So s·p would not be either. If q does read one,
 * this says only that s·q·p is lost with one of its values, and with another it need not be: all wake up.
 * (Which threads are tried is not limited to those in races: what is independent of all of them may read the
 * input that decides.) Whom a signal wakes is up to the scheduler as well. */
#ifndef MZ_SAFE_VERIFY_STRATEGY_H
#define MZ_SAFE_VERIFY_STRATEGY_H

#include "safe/verify/first_trace_rules.h"
#include "search/limits.h"

/* How many of the first events of the execution there are up to the last one after which an input is read;
 * only those with fewer than `most` events are counted. */
size_t mz_schedule_last_read(const mz_machine *machine, const mz_schedule *schedule, size_t most);

typedef struct mz_strategy {
    mz_schedule *leaves; /* in the order of their values; what they have in common comes first in all */
    size_t count, capacity;
    size_t events;     /* of all of them */
    bool reads_later;  /* an input is read after the first event, in one of those that were tried at least */
    bool is_too_large; /* or there is too little time for it */
} mz_strategy;

enum { MZ_MOST_CASES = 4096, MZ_MOST_CASE_EVENTS = 2000000 };

typedef struct mz_strategy_goal {
    mz_first_trace rule; /* none but MZ_FIRST_AUTO */
    bool only_rule;      /* nothing else is tried */
    const mz_seen_order *seen;
    const mz_choice
        *valuation; /* of the inputs before the first event, or the first of them; they are fixed */
    size_t valuation_length;
    uint64_t most_events; /* that may happen in the machine */
    double until;         /* mz_seconds_now(); 0: any time */
    /* A leaf was found; the execution is at its end, and the machine may be used. May be NULL. */
    void (*leaf)(void *context, const mz_execution *execution);
    void *context;
} mz_strategy_goal;

/* False: there is none, or it is too large, or was not found in time, or machine->begin_again is set. The
 * strategy is to be released in any case. */
bool mz_strategy_find(mz_machine *machine, mz_execution *execution, const mz_strategy_goal *goal,
                      const mz_limits *limits, mz_strategy *strategy);
void mz_strategy_release(mz_strategy *strategy);

#endif
