/* One check: a search on a machine and the report about it. */
#ifndef MZ_SESSION_RESULT_H
#define MZ_SESSION_RESULT_H

#include "pool/pool.h"
#include "report/report.h"
#include "session/settings/settings.h"

/* A result outlives its search: it owns the search and points into it. */
typedef struct mz_result {
    mz_search search;
    mz_pool *pool; /* that has made the search */
    mz_report report;
    mz_report_count counts[32];
    char *saved; /* the file of a search that can go on; NULL: there is none */
} mz_result;

void mz_result_run(mz_result *result, mz_machine *machine, const mz_settings *settings, const char *program,
                   const mz_algorithm *algorithm);
void mz_result_release(mz_result *result);

/* An error's counterexample for people; points into the problem. */
void mz_report_error_fill(mz_report_error *error, const mz_problem *problem);
void mz_report_error_release(mz_report_error *error);

/* What explored executions stand for: "traces", … */
const char *mz_equivalence_word(mz_equivalence equivalence);
/* Of a search of a program that has not begun, or told nothing: incomplete, all counts 0. */
mz_report mz_report_of_nothing(const mz_settings *settings, const char *algorithm);

#endif
