/* Formats for programs, in which a check can print its result beside the text for people. Adding one = one
 * file + one line in MZ_FORMATS; the option --NAME follows. */
#ifndef MZ_REPORT_FORMATS_H
#define MZ_REPORT_FORMATS_H

#include "report/report.h"

/* Name, help, function. */
#define MZ_FORMATS(X) X(json, "print the result as JSON on standard output", mz_reports_json)

/* All reports of a check, as one document. */
typedef void mz_format(const mz_report *reports, size_t count, mz_text *out);

#define MZ_X(name, help, write) mz_format write;
MZ_FORMATS(MZ_X)
#undef MZ_X

#endif
