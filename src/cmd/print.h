/* Results and errors, printed. */
#ifndef MZ_CMD_PRINT_H
#define MZ_CMD_PRINT_H

#include <stdio.h>

#include "base/error.h"
#include "report/report.h"

/* On standard error, if it is set; it is released then. Was it? */
bool mz_print_error(const char *command, mz_error *error);

/* What --help says. Paragraphs are filled, and tables folded, so that all fits a terminal. */
void mz_print_help(FILE *out, const char *help);

/* For people: on standard output, unless that is for programs. */
mz_style mz_style_of(bool for_programs);
/* The text, for people, and what is for programs (NULL: nothing is). Both are released. The exit code: the
 * one that is given, if all could be written. */
int mz_print(const char *command, mz_text *people, mz_text *programs, int code);

#endif
