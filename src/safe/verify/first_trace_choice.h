/* Choosing the trace that a verification begins with. */
#ifndef MZ_SAFE_VERIFY_FIRST_TRACE_CHOICE_H
#define MZ_SAFE_VERIFY_FIRST_TRACE_CHOICE_H

#include "base/error.h"
#include "safe/verify/first_trace_rules.h"
#include "safe/verify/strategy.h"

/* --first-trace. */
void mz_first_trace_parse(const char *name, mz_first_trace *which, mz_error *error);
void mz_first_trace_help(mz_text *out);

typedef struct mz_first_choice {
    mz_first_trace which; /* the rule; MZ_FIRST_AUTO: none gives an execution that ends well */
    double cost;          /* of its executions on the average */
    /* To be followed: one for every valuation of the inputs that are read after the first event. If there are
     * too many of these, or nothing ends well with all of them, then at most one, with some valuation. */
    mz_strategy strategy;
    bool is_for_all;
    const char *trouble; /* why it is not; NULL: it is, or no inputs were seen */
} mz_first_choice;

/* What is asked for. */
typedef struct mz_first_goal {
    mz_first_trace which;
    const mz_seen_order *seen;  /* what a free run has shown; NULL: nothing */
    const mz_choice *valuation; /* of the choices before the first event, as far as it is given */
    size_t valuation_length;
    bool must_search; /* the rules do not tell whether inputs are read, but they are */
    double until; /* mz_seconds_now(): so long a strategy is searched for where the rules have none; 0: any
                     time */
} mz_first_goal;

/* By the rule that is asked for, or the one that costs least (those that cost the same: the first in the
 * list); what a free run has shown is a candidate if it is given. If machine->begin_again is set then, what
 * was chosen is worth nothing. */
void mz_choose_first(mz_machine *machine, const mz_first_goal *goal, const mz_limits *limits,
                     mz_first_choice *choice);

#endif
