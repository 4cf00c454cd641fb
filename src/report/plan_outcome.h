/* What a verification for a plan has come to: for people and for programs. */
#ifndef MZ_REPORT_PLAN_OUTCOME_H
#define MZ_REPORT_PLAN_OUTCOME_H

#include "report/report.h"
#include "safe/plan/small_set.h"
#include "safe/plan/symbolic.h"

typedef struct mz_plan_outcome {
    const char *program, *file; /* where the plan is written to */
    mz_symbolic_plan plan;
    bool has_plan;
    const mz_report *report; /* NULL: the worker is gone */
    const char *end;         /* how the worker has ended, if it is gone */
    const char *obstacle;
    const char *first_trace; /* the rule it was found by */
    const char *valuation;   /* inputs without a safe execution; "" if there are none */
    bool has_overhead;       /* it was measured */
    double overhead;         /* of running under it */
    const char *bug, *trace; /* NULL: none */
    bool all_verified;
    bool learns, is_covered; /* --learn: the recorded run is, or is not, one that the plan allows */
    const char *uncovered;   /* why not */
    const mz_minimised *minimised;
} mz_plan_outcome;

void mz_plan_text(const mz_plan_outcome *outcome, mz_text *out);
void mz_plan_json(const mz_plan_outcome *outcome, mz_text *out);
/* There is no plan because there is nothing that it could be of. */
bool mz_plan_every_execution_fails(const mz_plan_outcome *outcome);

#endif
