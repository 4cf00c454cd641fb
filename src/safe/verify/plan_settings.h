/* What a verification for a plan was asked to do: a check, and what is wanted of the plan. */
#ifndef MZ_SAFE_VERIFY_PLAN_SETTINGS_H
#define MZ_SAFE_VERIFY_PLAN_SETTINGS_H

#include "safe/plan/symbolic.h"
#include "safe/verify/first_trace_rules.h"
#include "session/settings/settings.h"

typedef struct mz_plan_settings {
    mz_settings check;
    bool has_constraints; /* --constraints: until at most so many are left */
    uint64_t constraints;
    bool tune;                               /* --tune */
    bool has_overhead;                       /* --overhead */
    double overhead;                         /* 0.1: 10 % */
    uint32_t waived;                         /* --waive: 1 << mz_premise_kind */
    mz_first_trace first_trace;              /* --first-trace */
    const struct mz_record_header *free_run; /* what was seen when nothing kept the program; NULL: nothing */
    bool free_run_counts_accesses;           /* its counts are of plain accesses, too */
    const mz_symbolic_plan *free_run_names;  /* what it says of lines: its names of plain accesses */
    const char *learn;                       /* --learn: a recording; NULL: none */
    bool minimise;                           /* --minimise */
} mz_plan_settings;

/* A list of kinds; *error set, without a position, if one is unknown. */
void mz_plan_settings_waive(mz_plan_settings *settings, const char *kinds, mz_error *error);
/* What is not to be asked of the user: settings as such a search needs them. *error set if they are not for
 * a plan. */
void mz_plan_settings_complete(mz_plan_settings *settings, mz_error *error);

#endif
