/* A counterexample at one of its steps: where every thread is, and what memory holds. */
#ifndef MZ_REPORT_FRAME_H
#define MZ_REPORT_FRAME_H

#include "report/report.h"

/* After so many steps; one more than there are: where it fails. */
void mz_report_frame(const mz_report *report, const mz_report_error *error, size_t steps, mz_style style,
                     mz_text *out);

#endif
