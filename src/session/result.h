/* One check: a search on a machine and the report about it. */
#ifndef MZ_SESSION_RESULT_H
#define MZ_SESSION_RESULT_H

#include <signal.h>

#include "cmd/settings.h"
#include "report/report.h"

/* A result outlives its search: it owns the search and points into it. */
typedef struct mz_result {
    mz_search search;
    mz_report report;
    mz_report_count counts[32];
} mz_result;

/* What a signal handler can reach: Ctrl-C ends a search early. */
extern volatile sig_atomic_t mz_interrupted;
/* once: a second signal, a while after the first, does what it always does. */
void mz_catch_interrupts(bool once);

void mz_result_run(mz_result *result, mz_machine *machine, const mz_settings *settings, const char *program,
                   const mz_algorithm *algorithm);
void mz_result_release(mz_result *result);

/* An error's counterexample for people; points into the problem. */
void mz_report_error_fill(mz_report_error *error, const mz_problem *problem);
void mz_report_error_release(mz_report_error *error);

/* On standard error; it is released and forgotten with that. */
void mz_print_error(const char *command, mz_error *error);

/* On standard output, or, with --json, on standard error; then the JSON. Returns the exit code. */
int mz_print_reports(const mz_settings *settings, const mz_report *reports, size_t count);

/* Of a search that has not begun, or told nothing. */
const mz_report_count *mz_no_counts(size_t *count);

#endif
