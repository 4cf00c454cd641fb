/* Formats for programs, in which a check can write its result beside the text for people. Adding one = one
 * file + one line in MZ_FORMATS; the option --NAME[=FILE] follows. Without a file it goes to standard output.
 */
#ifndef MZ_REPORT_FORMATS_H
#define MZ_REPORT_FORMATS_H

#include "report/report.h"

/* Name, help, function. */
#define MZ_FORMATS(X)                                                                                        \
    X(json, "print the result as JSON on standard output, or write it to FILE", mz_reports_json)             \
    X(html, "the same as a page to look at: threads, source, memory, step by step", mz_reports_html)         \
    X(junit, "the same as a JUnit test report (XML)", mz_reports_junit)                                      \
    X(sarif, "as SARIF 2.1.0, for code scanning and editors", mz_reports_sarif)                              \
    X(gcc, "as lines FILE:LINE:COLUMN: error: …, which editors jump to", mz_reports_gcc)                     \
    X(github, "as annotations of GitHub workflows", mz_reports_github)                                       \
    X(witness, "as a witness of SV-COMP (YAML, format 2.2)", mz_reports_witness)                             \
    X(dot, "the counterexamples as graphs in the language of Graphviz", mz_reports_dot)                      \
    X(perfetto, "the counterexamples as a trace for ui.perfetto.dev", mz_reports_perfetto)

typedef enum mz_format_number {
#define MZ_X(name, help, write) MZ_FORMAT_##name,
    MZ_FORMATS(MZ_X)
#undef MZ_X
        MZ_FORMAT_COUNT
} mz_format_number;

/* All reports of a check, as one document. */
typedef void mz_format(const mz_report *reports, size_t count, mz_text *out);

#define MZ_X(name, help, write) mz_format write;
MZ_FORMATS(MZ_X)
#undef MZ_X

/* Where each is to go: NULL: nowhere; MZ_TO_STDOUT; a file. */
typedef struct mz_outputs {
    const char *paths[MZ_FORMAT_COUNT];
} mz_outputs;
#define MZ_TO_STDOUT "-"

const char *mz_format_name(mz_format_number format);
/* Does one of them go to standard output? Text for people has to keep away from there then. */
bool mz_outputs_take_stdout(const mz_outputs *outputs);
/* Ask for one more; *error set if standard output is taken. */
void mz_outputs_ask(mz_outputs *outputs, mz_format_number format, const char *path, mz_error *error);
/* Can the files be written? It is asked before a search that may take hours. */
void mz_outputs_try(const mz_outputs *outputs, mz_error *error);
/* The files; what goes to standard output is added to the text. */
void mz_outputs_write(const mz_outputs *outputs, const mz_report *reports, size_t count, mz_text *to_stdout,
                      mz_error *error);

#endif
