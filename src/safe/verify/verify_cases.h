/* Cases: the valuations of the inputs that a program reads. Each is verified by itself, and has a first trace
 * and a safe prefix of its own; together they are a symbolic plan (wire/symbolic_format.h). A program without
 * inputs has one case.
 *
 * Inputs that are read before the first event have their values from the beginning. If others are read later,
 * there is a strategy for each valuation of these (safe/verify/strategy.h), and its leaves are the cases:
 * each search begins with a leaf and makes its prefix shorter down to the event after which the last input is
 * read in it (its `fixed` events). When that is done for all values of this input, everything is verified
 * that begins with those events and goes on with whatever value. Then one of these cases, the one that has
 * the lowest value, goes on for all of them, down to the input before, or to the beginning: its search has
 * all values in it. As soon as its prefix is shorter, so is theirs: it ends before the input is read, and
 * their traces are the same up to there. */
#ifndef MZ_SAFE_VERIFY_VERIFY_CASES_H
#define MZ_SAFE_VERIFY_VERIFY_CASES_H

#include "safe/plan/extract.h"
#include "safe/plan/symbolic.h"
#include "safe/verify/strategy.h"

typedef struct mz_case {
    mz_choice *inputs; /* before the first event; until its trace is known, those that are prescribed */
    size_t input_count;
    mz_schedule first;   /* the trace, to be followed again; its length is 0: none yet */
    uint32_t restarts;   /* what the machine had learned by then */
    bool searched;       /* a strategy was searched for, whatever came of it */
    const char *trouble; /* why there is no strategy; NULL: none was searched for */
    bool is_leaf;        /* of a strategy, for one valuation of the inputs that come later, too */
    uint32_t fixed;      /* those inputs are read in so many of its first events */
    bool complete;       /* all is verified that begins with these */
    size_t searcher;     /* the number of the case that goes on for this one; its own: it does so itself */
    uint32_t led_from;   /* their traces have fewer events than this in common */

    /* What is handed out, or is to be: the trace, and the same with plain accesses counted, in case that
     * other cases need that. */
    mz_plan plan, counting;
    mz_extraction extraction;
    uint32_t prefix;
    bool offered;    /* there is a prefix that can be enforced */
    bool done;       /* nothing more is to be found out */
    size_t leader;   /* the case whose plan it has, once that is fixed */
    uint32_t number; /* of its plan in the symbolic plan */
    uint64_t traces;
    double share;

    /* Of the search that goes on: if its trace is another than that of the plan, which is in use, so many
     * first events are the same. */
    bool is_other;
    uint32_t common;
    mz_extraction current;
    uint64_t begun_at; /* executions */
} mz_case;

typedef struct mz_cases {
    mz_case *items;
    size_t count, capacity;
    bool all_met;           /* there are no more */
    bool leaders_are_fixed; /* which cases share a plan does not change any more */
} mz_cases;

void mz_cases_release(mz_cases *cases);
/* The valuation after the last one, or the very first; NULL: there is none. */
mz_case *mz_cases_next(mz_cases *cases);
/* More than can be kept: the last one is one too many, or there are values for more. */
bool mz_cases_are_too_many(const mz_cases *cases);
/* "x=1, y=2": all that is read in its trace. */
void mz_case_describe(const mz_machine *machine, const mz_case *c, mz_text *out);
/* Does it have inputs, and so other cases beside it? */
static inline bool mz_case_has_inputs(const mz_case *c)
{
    return c->input_count > 0 || c->is_leaf;
}
/* A case becomes the first leaf of this strategy, the others follow at the end of the list. The case before
 * them has moved. The strategy is used up. */
void mz_cases_branch(mz_cases *cases, const mz_machine *machine, size_t at, mz_strategy *strategy,
                     uint32_t restarts);
/* The case is complete: if all that differ from it in the last input are, one goes on for all of them. */
void mz_cases_join(mz_cases *cases, const mz_machine *machine, const mz_case *c);
/* Forget the trace that it had. */
void mz_case_forget(mz_case *c);

/* The case whose search has made its prefix shortest: its own, or one that goes on for it. */
const mz_case *mz_case_led_by(const mz_cases *cases, const mz_case *c);

/* ---- together (verify_combine.c) ------------------------------------------------------------------------
 */

/* Its plan, with plain accesses counted or as it is. */
mz_plan *mz_case_plan(mz_case *c, bool counts_accesses);
/* Are the first events of the two plans the same? How many. */
uint32_t mz_plans_common(const mz_plan *a, const mz_plan *b);
/* All cases are offered: from now on those share a plan that do so now. Returns whether plain accesses are
 * counted. */
bool mz_cases_fix_leaders(mz_cases *cases);
/* All cases are offered: make one symbolic plan of them, to be released without its plans' parts. False and
 * *obstacle set if that is not possible. */
bool mz_cases_combine(mz_cases *cases, const mz_machine *machine, mz_symbolic_plan *symbolic,
                      mz_text *obstacle);
void mz_cases_combined_release(mz_symbolic_plan *symbolic);
/* The prefixes of the plans of the combination now: of each the longest of its cases. */
void mz_cases_prefixes(const mz_cases *cases, uint32_t prefixes[MZ_MOST_PLANS]);
bool mz_cases_are_offered(const mz_cases *cases);
/* Verified in all; and how much of all there is, 0 … 1. */
uint64_t mz_cases_traces(const mz_cases *cases);
double mz_cases_share(const mz_cases *cases);

#endif
