/* Lines for people: coloured, cut and wrapped at words so that they fit a terminal. */
#ifndef MZ_REPORT_LINES_H
#define MZ_REPORT_LINES_H

#include "report/report.h"

#define MZ__RED    "31;1"
#define MZ__GREEN  "32;1"
#define MZ__YELLOW "33;1"
#define MZ__BOLD   "1"
#define MZ__FAINT  "2"

void mz__add_coloured(mz_text *out, mz_style style, const char *colour, const char *text);
/* Cut behind a word, with "…", if it is wider; padded, if it is narrower. As it is if the width is 0. */
void mz__add_cell(mz_text *out, const char *text, size_t width);
/* The text, from this column on, broken at blanks; further lines begin with `indent` blanks. No line feed at
 * its end. Returns the column behind it. */
size_t mz__add_wrapped(mz_text *out, const char *text, size_t column, size_t indent, mz_style style,
                       const char *colour);
/* "  label: text", wrapped, as a line. */
void mz__add_labelled(mz_text *out, const char *label, const char *text, mz_style style);

#endif
