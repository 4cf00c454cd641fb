/* Cases: the valuations of the inputs that a program reads before anything else. Each is verified by itself,
 * and has a first trace and a safe prefix of its own; together they are a symbolic plan (wire/symbolic.h). A
 * program without inputs has one case. */
#ifndef MZ_CMD_VERIFY_CASES_H
#define MZ_CMD_VERIFY_CASES_H

#include "enforce/extract.h"
#include "enforce/symbolic.h"
#include "explore/safe_prefix.h"

typedef struct mz_case {
    mz_choice *inputs; /* until its trace is known, those that are prescribed */
    size_t input_count;
    mz_schedule first; /* the trace, to be followed again; its length is 0: none yet */
    uint32_t lessons;  /* what the machine had learned by then */

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
/* "x=1, y=2" */
void mz_case_describe(const mz_case *c, mz_text *out);
/* Forget the trace that it had. */
void mz_case_forget(mz_case *c);

/* Its plan, with plain accesses counted or as it is. */
mz_plan *mz_case_plan(mz_case *c, bool counts_accesses);

/* Are the first events of the two plans the same? How many. */
uint32_t mz_plans_common(const mz_plan *a, const mz_plan *b);
/* All cases are offered: from now on those share a plan that do so now. Returns whether plain accesses are
 * counted. */
bool mz_cases_fix_leaders(mz_cases *cases);
/* All cases are offered: make one symbolic plan of them, to be released without its plans' parts. False and
 * *obstacle set if that is not possible. */
bool mz_cases_combine(mz_cases *cases, mz_symbolic_plan *symbolic, mz_text *obstacle);
void mz_cases_combined_release(mz_symbolic_plan *symbolic);
/* The prefix of a plan of the combination now: the longest of its cases. */
uint32_t mz_cases_prefix(const mz_cases *cases, uint32_t number);
bool mz_cases_are_offered(const mz_cases *cases);

#endif
