/* The steps of a counterexample as a table that fits the terminal. */
#ifndef MZ_REPORT_TABLE_H
#define MZ_REPORT_TABLE_H

#include "report/report.h"

void mz__add_table(const mz_report *report, const mz_report_error *error, mz_style style, mz_text *out);
/* "T1 worker", "thread 1", "process 1" */
void mz__add_thread_name(const mz_report *report, const mz_report_error *error, uint32_t thread,
                         mz_text *out);
/* The step that decides, and what would have been fine. False, and nothing, if that is not known. */
bool mz__add_decision(const mz_report *report, const mz_report_error *error, mz_style style, mz_text *out);
/* What a step is in the source, and in parentheses what it did. */
void mz__add_step_words(const mz_report_step *step, mz_text *out);

#endif
